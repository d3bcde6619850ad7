import HoldfastDomain

extension TicketGate {
    /// Takes a server's time, so that the wall clock can be held against it from now on, also after a restart.
    ///
    /// Call it with a time from a server that the host trusts, as soon as it arrives. `HTTPRecordSender` passes the time
    /// of its answers to `onServerTime`: hand it on to `anchor(_:)`.
    ///
    /// - Throws: `QueueStoreError` when it could not be kept; it then holds until the process ends.
    public func anchor(serverTime: Timestamp) async throws {
        try await anchor(ClockAnchor(server: serverTime, seenAt: ports.clock.now()))
    }

    /// Takes a server's time together with the reading at which it was seen.
    ///
    /// - Throws: As `anchor(serverTime:)`.
    public func anchor(_ anchor: ClockAnchor) async throws {
        state.withLock { $0.witness.anchor = anchor }
        try await ports.journal.setValue(anchor.bytes, named: Self.anchorName)
    }

    /// The last server time that any gate on this journal was given.
    func storedAnchor() async throws -> ClockAnchor? {
        try await ports.journal.value(named: Self.anchorName).flatMap(ClockAnchor.init(bytes:))
    }

    /// The name under which the last server time is kept beside the journal.
    private static let anchorName = "gate.clock.anchor"

    /// How far the wall clock can be trusted now.
    public var clockConfidence: ClockConfidence {
        let now = ports.clock.now()
        return state.withLock { $0.witness.confidence(at: now) }
    }
}
