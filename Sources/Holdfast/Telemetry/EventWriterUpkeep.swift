import HoldfastDomain

/// What a writer knows of the journal without asking it at every group.
struct Upkeep {
    private static let interval = Interval.minutes(1)

    /// The stream's live bytes, estimated from above: others may have delivered meanwhile.
    var liveBytes: Int64
    /// When, by uptime, ages, keys and dead letters were last looked at.
    var last: Interval?

    func isDue(_ retention: Retention, at uptime: Interval) -> Bool {
        if let cap = retention.maxQueuedBytes, liveBytes > cap { return true }
        guard let last else { return true }
        return uptime - last >= Self.interval
    }

    /// Whether more than the size has to be looked at.
    func isFullDue(at uptime: Interval) -> Bool {
        last.map { uptime - $0 >= Self.interval } ?? true
    }
}

extension EventWriter {
    /// Keeps the stream within its limits and follows other processes' keys. Cheap unless something is due.
    func maintain() async {
        let now = ports.clock.now()
        guard upkeep.isDue(policy.retention, at: now.uptime) else { return }
        do {
            var dropped = try await trim(to: policy.retention, now: now)
            let statistics = try await ports.journal.statistics(.telemetry)
            await looked(at: statistics)
            if upkeep.isFullDue(at: now.uptime) {
                upkeep.last = now.uptime
                dropped += try await trimDeadLetters(statistics.deadLettered, now: now)
                try await ring.refresh()
                _ = try await ring.retire(in: ports.journal)
            }
            if dropped > 0 { ports.diagnostics.record(DiagnosticEvent(.entriesDropped, count: dropped)) }
        } catch {
            // It is done again with the next group; what cannot be written then is told there.
            ports.diagnostics.record(DiagnosticEvent(.storeFailed))
        }
    }

    private func trim(to retention: Retention, now: ClockReading) async throws -> Int {
        let report = try await ports.journal.trim(.telemetry, to: retention, now: now.wall)
        return report.dropped.values.reduce(0, +)
    }

    /// Dead letters go with age; while there are too many, they go the younger.
    private func trimDeadLetters(_ count: Int, now: ClockReading) async throws -> Int {
        var count = count
        var retention = policy.retention
        var age = retention.deadLetteredFor ?? .days(7)
        var dropped = 0
        while count > policy.maxDeadLetters, age > .zero {
            age = age > .seconds(1) ? Interval(milliseconds: age.milliseconds / 2) : .zero
            retention.deadLetteredFor = age
            dropped += try await trim(to: retention, now: now)
            count = try await ports.journal.statistics(.telemetry).deadLettered
        }
        return dropped
    }
}

// MARK: - Keys and erasure

extension EventWriter {
    /// Under which name an erasure that is under way is noted, so that a restart finishes it.
    static let erasureName = "telemetry.erasing"

    /// Tells which key seals now.
    func tellKey() async {
        // A status is to be had while the keys are locked too; what was told last stands.
        if let key = try? await ring.newestID() { await tell(.sealing(key)) }
    }

    /// Makes a new key, which seals from now on.
    func rotate() async throws -> KeyID {
        await turn.take()
        defer { turn.pass() }
        let key = try await ring.rotate(from: try await ports.journal.statistics(.telemetry).unusedKey)
        await tell(.sealing(key))
        return key
    }

    /// Seals everything under the current key, so that the old ones can go at once.
    func reseal() async throws {
        var resealer = Resealer(stream: .telemetry, journal: ports.journal, ring: ring, sealer: sealer)
        while case .resealed = try await resealer.step(limit: 256) {}
        _ = try await ring.retire(in: ports.journal)
    }

    /// Destroys the keys and the events. Whatever is interrupted is finished by the next process.
    ///
    /// - Throws: What the journal or the vault threw. If only the vault failed, the events are gone, and nothing is
    ///   sealed with the old keys any more; they are destroyed as soon as the vault can be reached.
    func erase() async throws {
        await turn.take()
        defer { turn.pass() }
        for event in buffer.erase() { event.waiter?.resume(throwing: TelemetryError(.erased)) }
        try await ports.journal.setValue(Array("1".utf8), named: Self.erasureName)
        isErasing = true
        do { try await finishErasure() } catch {
            await failed(with: error, waiting: [])
            wake()  // to try again
            throw error
        }
    }

    /// Finishes an erasure that was begun, here or by an earlier process.
    func finishErasure() async throws {
        guard isErasing else { return }
        let keys: Result<Void, any Error>
        do { keys = .success(try await ring.destroy(in: ports.journal)) } catch { keys = .failure(error) }
        _ = try await ports.journal.erase(.telemetry, reason: .consent)
        await looked(at: try await ports.journal.statistics(.telemetry))
        try keys.get()
        try await ports.journal.setValue(nil, named: Self.erasureName)
        isErasing = false
        await tell(.sealing(nil))
    }
}
