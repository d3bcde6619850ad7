import HoldfastDomain

/// What became of an event that was logged.
public enum LogOutcome: Hashable, Sendable {
    /// It was taken, and will be durable within 50 ms unless the disk stalls or the keys are locked.
    case taken(EntryID)
    /// It was not taken; the refusal is counted in the ledger.
    case refused(TelemetryError)
}

extension Telemetry {
    /// Takes an event and returns at once: it waits for neither the disk nor the network, on any thread.
    ///
    /// Events of one thread keep their order.
    ///
    /// - Parameters:
    ///   - type: What happened, such as `screen.view`.
    ///   - payload: What is known of it.
    /// - Returns: The event's permanent id, or why it was refused.
    @discardableResult
    public func log(_ type: String, _ payload: PayloadObject = [:]) -> LogOutcome {
        log(type, payload, at: ports.clock.now().wall)
    }

    /// Takes an event that happened earlier, before there was telemetry to take it.
    package func log(_ type: String, _ payload: PayloadObject, at moment: Timestamp) -> LogOutcome {
        do {
            let event = try event(type, payload, at: moment)
            let admission = buffer.append(event)
            if admission.needsWriter { writer.wake() }
            return admission.refusal.map { .refused($0) } ?? .taken(event.id)
        } catch {
            return .refused(refusal(for: error))
        }
    }

    /// As `log(_:_:)`, with a payload made of any value that encodes itself as an object.
    @discardableResult
    public func log(_ type: String, encoding payload: some Encodable) -> LogOutcome {
        do { return log(type, try PayloadEncoder().encode(payload)) } catch { return .refused(refusal(for: error)) }
    }

    /// Takes an event and returns when it is durable.
    ///
    /// - Returns: The event's permanent id.
    /// - Throws: `TelemetryError`; the event was not taken, and will not be delivered.
    @discardableResult
    public func record(_ type: String, _ payload: PayloadObject = [:]) async throws -> EntryID {
        let taken: BufferedEvent
        do { taken = try event(type, payload, at: ports.clock.now().wall) } catch { throw refusal(for: error) }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            var event = taken
            event.waiter = continuation
            let admission = buffer.append(event)
            if let refusal = admission.refusal { continuation.resume(throwing: refusal) }
            if admission.needsWriter { writer.wake() }
        }
        return taken.id
    }

    /// As `record(_:_:)`, with a payload made of any value that encodes itself as an object.
    @discardableResult
    public func record(_ type: String, encoding payload: some Encodable) async throws -> EntryID {
        let object: PayloadObject
        do { object = try PayloadEncoder().encode(payload) } catch { throw refusal(for: error) }
        return try await record(type, object)
    }

    /// Returns when everything that was logged before is durable.
    ///
    /// - Throws: `TelemetryError` `.notStored` when the disk or the keys fail now; the events stay in memory, and are
    ///   stored as soon as that is possible.
    public func persist() async throws {
        if let cause = await writer.commit() { throw TelemetryError(.notStored, cause: cause) }
    }

    private func event(_ type: String, _ payload: PayloadObject, at moment: Timestamp) throws -> BufferedEvent {
        let event = TelemetryEvent(
            id: EntryID(random: ports.random),
            timestamp: moment,
            type: type,
            payload: payload,
            sessionID: buffer.session
        )
        return BufferedEvent(
            id: event.id,
            timestamp: event.timestamp,
            json: try event.encoded(limits: policy.limits)
        )
    }

    private func refusal(for error: any Error) -> TelemetryError {
        let refusal = error as? TelemetryError ?? TelemetryError(.unencodable)
        if buffer.count(refusal.lossReason) { writer.wake() }
        return refusal
    }
}

extension Telemetry {
    /// The id of the current session, which every event carries.
    public var sessionID: String { buffer.session }

    /// Begins a session; events that were logged before keep theirs.
    ///
    /// - Parameter id: The new session's id, 1 to 128 bytes of UTF-8; a random UUID if there is none.
    /// - Returns: The new session's id.
    /// - Throws: `TelemetryError` `.invalidSession`; the session stays as it was.
    @discardableResult
    public func startSession(_ id: String? = nil) throws -> String {
        let id = id ?? EntryID(random: ports.random).description
        guard !id.isEmpty, id.utf8.count <= TelemetryLimits.maxSessionBytes else {
            throw TelemetryError(.invalidSession)
        }
        buffer.setSession(id)
        return id
    }
}
