import HoldfastDomain

extension Telemetry {
    static let consentName = "telemetry.consent"

    /// Stores what is in memory and sends everything that waits, now: it overrides every obstacle but the user's
    /// consent and a wait that the server ordered.
    ///
    /// - Returns: What was delivered, and how things stand, once nothing waits or something stands in the way.
    @discardableResult
    public func flush() async -> FlushReport {
        await writer.commit()
        return await driver.flush()
    }

    /// The status now, read from the journal.
    public func status() async -> TelemetryStatus { await driver.status() }

    /// Sets the user's consent. It is stored beside the journal.
    ///
    /// `.denied` refuses every event from now on, and erases what was kept together with its keys.
    ///
    /// - Throws: `QueueStoreError` or `KeyVaultError` when not everything could be written or erased. What was set
    ///   holds in this process all the same, and an erasure that was begun is finished later.
    public func setConsent(_ consent: Consent) async throws {
        await consentTurn.take()
        defer { consentTurn.pass() }
        buffer.setConsent(consent)
        await driver.consentChanged(to: consent)
        try await ports.journal.setValue(Array(consent.rawValue.utf8), named: Self.consentName)
        if consent == .denied { try await erase() }
    }

    /// Call it when the host has another access token: delivery that was held because of the old one goes on.
    public func accessTokenChanged() async { await driver.tokenChanged() }

    /// Destroys the keys and every event that is not delivered yet; they are counted as lost for `.consent`.
    ///
    /// - Throws: `QueueStoreError` or `KeyVaultError`. What was begun is finished later; nothing new is sealed with
    ///   the old keys.
    public func erase() async throws {
        await driver.halt()
        do { try await writer.erase() } catch {
            await driver.resume()
            throw error
        }
        await driver.resume()
    }

    /// Makes a new key, which seals from now on. Older events keep theirs until they are delivered, and the old key
    /// goes when no event needs it.
    ///
    /// - Parameter resealing: Whether to seal what is queued anew at once, so that the old key can go now.
    /// - Returns: The number of the new key.
    /// - Throws: `KeyVaultError`, `QueueStoreError` or `CryptoError`. Nothing is lost, whatever was done by then.
    @discardableResult
    public func rotateKey(resealing: Bool = false) async throws -> KeyID {
        let key = try await writer.rotate()
        if resealing { try await writer.reseal() }
        return key
    }
}

// MARK: - Foreground and background

extension Telemetry {
    /// Call it when the app leaves the foreground: what is in memory is stored, the queue is sent for as long as `time`
    /// allows, and then nothing is under way. Events that are logged afterwards are still stored, at once.
    ///
    /// On iOS call it inside a background-task assertion, and pass less time than that gives.
    @discardableResult
    public func suspend(within time: Interval = .zero) async -> FlushReport {
        await driver.work(until: ports.clock.now().uptime + time, isLeaving: true)
    }

    /// Call it when the app is in the foreground again: the queue is sent at once.
    public func resume() async { await driver.becameActive() }

    /// Works in the background until nothing is left, nothing can be done, or the time is over; for a task that the
    /// system starts, such as a `BGTask`. Cancelling the caller's task ends it too.
    ///
    /// While power or data is to be saved nothing is sent, and the report says so.
    @discardableResult
    public func background(until deadline: Timestamp) async -> FlushReport {
        let now = ports.clock.now()
        return await driver.work(until: now.uptime + (deadline - now.wall), isLeaving: false)
    }
}
