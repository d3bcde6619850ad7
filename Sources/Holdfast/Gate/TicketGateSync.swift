import HoldfastDomain

/// Something that hands records over: a `TicketGate`. Code that only does this can take it instead of a gate, so that a
/// test may give it another.
public protocol RecordHandover: Sendable {
    /// Hands queued records over until none is left or something is in the way; see `TicketGate`.
    @discardableResult
    func sync(via sender: any BatchSender, ignoringBackOff: Bool) async -> SyncReport
}

// The two closure forms would be ambiguous side by side: a closure of several statements without a `return` could be
// either. Of two that fit, the compiler prefers the type's own method to a protocol's extension.
extension RecordHandover {
    /// Hands queued records over through a closure that says what became of them; see `sync(via:ignoringBackOff:)`.
    ///
    /// - Parameter send: Sends one batch. What it throws means that the batch may not have arrived and comes again.
    @discardableResult
    public func sync(_ send: @escaping @Sendable (_ records: [GateRecord]) async throws -> BatchAnswer) async
        -> SyncReport
    {
        await sync(via: ClosureSender(send), ignoringBackOff: false)
    }
}

extension TicketGate: RecordHandover {
    /// Hands queued records over, oldest first, batch by batch, until none is left or something is in the way.
    ///
    /// At least once: a record whose answer was lost comes again with the same `scanId`. Marked as delivered in the same
    /// transaction that takes the answer; what a server says never changes what the gate decided. Two calls at once, in
    /// one process or in many, do not send the same record twice. Cancelling the task ends it after the batch in hand.
    ///
    /// It never throws: why it ended is in the report. While the vault has lost the gate's secret, records that do not
    /// open stay queued: it may be restored. So do, at any time, those whose key is damaged; see `GateStatus.damagedKeys`.
    ///
    /// - Parameters:
    ///   - sender: The host's network layer. `HTTPRecordSender` is one over a `Transport`.
    ///   - ignoringBackOff: Whether to try at once although a wait after a failure is not over, as when a person asks
    ///     for it. A wait that the server ordered is kept all the same.
    @discardableResult
    public func sync(via sender: any BatchSender, ignoringBackOff: Bool = false) async -> SyncReport {
        // What still cannot be recorded is not lost by it: it is tried again after the next scan.
        try? await recordBacklog()
        let courier = Courier(
            stream: .gate,
            store: ports.journal,
            sealer: Sealer(stream: .gate, ring: ring, cipher: ports.cipher),
            delivery: RecordDelivery(to: sender),
            clock: ports.clock,
            random: ports.random,
            diagnostics: ports.diagnostics,
            policy: CourierPolicy(
                maxCount: policy.maxBatchCount,
                maxBodyBytes: policy.maxBatchBytes,
                keepsDelivered: true,
                unopened: hasLostSecret ? .wait : .waitForDamagedKeys,
                rejection: .isolateOrHold(tries: policy.rejectionTries)
            )
        )
        let (report, end) = await courier.drain(ignoringBackOff: ignoringBackOff)
        // Keeping house can wait for the next time, but a host should hear that it failed.
        do { try await keepHouse() } catch {
            let code: DiagnosticEvent.Code = error is KeyVaultError ? .vaultUnavailable : .storeFailed
            ports.diagnostics.record(DiagnosticEvent(code, platformCode: GateFailure(error).platformCode))
        }
        return SyncReport(report, end: end)
    }

    /// Hands queued records over through a closure that has taken every record of the batch if it does not throw; see
    /// `sync(via:ignoringBackOff:)`.
    ///
    /// - Important: A closure that is to answer, and is a single `if` or `switch`, needs a `return` in its branches. Without
    ///   one the compiler takes it for this kind, and only warns that the results are unused.
    @discardableResult
    public func sync(_ send: @escaping @Sendable (_ records: [GateRecord]) async throws -> Void) async -> SyncReport {
        await sync(
            via: ClosureSender { records in
                try await send(records)
                return .handled()
            }
        )
    }
}

/// What handing records over came to.
public struct SyncReport: Hashable, Sendable {
    /// How many the back end took, those included that it had already.
    public var delivered: Int
    /// How many of them it had already.
    public var duplicates: Int
    /// How many were set aside for good: the back end refused them, or they could not be opened or sent.
    public var setAside: [LossReason: Int]
    /// How many the back end wants again later.
    public var retried: Int
    /// Why it ended before the queue was empty; nil if nothing is left to send.
    public var obstacle: DeliveryObstacle?
    /// How long to wait before another attempt makes sense; nil where only a change of circumstances will do.
    public var wait: Interval?

    /// A report of what a courier did, and why it stopped.
    public init(_ report: DeliveryReport, end: CourierStep) {
        delivered = report.delivered
        duplicates = report.duplicates
        setAside = report.deadLettered
        retried = report.retried
        switch end {
        case .idle, .delivered: break
        case .waiting(let wait, let obstacle): (self.wait, self.obstacle) = (wait, obstacle)
        case .held(let obstacle): self.obstacle = obstacle
        }
    }

    /// Whether everything that was queued has been handed over or set aside.
    public var isComplete: Bool { obstacle == nil }
}
