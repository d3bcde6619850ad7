/// Delivers one stream of the journal, a batch a step: leases the oldest entries, opens them, hands them to a delivery
/// and settles them one by one, by id.
///
/// It never sleeps and never throws: each step says when the next one makes sense, and why. An entry leaves the queue
/// only in the transaction that records what became of it, so a death of the process at any instruction loses
/// nothing; at worst a batch is sent again, with the same ids. One batch is under way at a time: steps that are asked
/// for meanwhile share it. Couriers of one stream in several processes keep out of each other's way by the lease.
public actor Courier {
    private struct Flight {
        var step: CourierStep
        var didSend = false
    }

    private struct Unsettled {
        var lease: Lease.ID
        var outcomes: [EntryID: EntryOutcome]
        var retry: RetryState
    }

    private let stream: StreamName
    private let store: any QueueStore & EntryArchive
    private let sealer: Sealer
    private let delivery: any BatchDelivery
    private let clock: any DeviceClock
    private let diagnostics: any DiagnosticSink
    private let policy: CourierPolicy
    private var generator: SourceGenerator

    private var flight: Task<Flight, Never>?
    private var sizing: BatchSizing
    /// The stream's retry state as far as this courier knows it.
    private var retry = RetryState()
    /// When, by uptime, other processes' keys were last followed.
    private var keysFollowed: Interval?
    /// What is known but could not be stored yet: it comes before anything else.
    private var unsettled: Unsettled?

    /// A courier for `stream`; does nothing yet.
    public init(
        stream: StreamName,
        store: any QueueStore & EntryArchive,
        sealer: Sealer,
        delivery: any BatchDelivery,
        clock: any DeviceClock,
        random: any RandomSource,
        diagnostics: any DiagnosticSink,
        policy: CourierPolicy = CourierPolicy()
    ) {
        self.stream = stream
        self.store = store
        self.sealer = sealer
        self.delivery = delivery
        self.clock = clock
        self.diagnostics = diagnostics
        self.policy = policy
        generator = SourceGenerator(random)
        sizing = BatchSizing(maxCount: policy.maxCount, rejection: policy.rejection)
    }

    /// Delivers at most one batch.
    ///
    /// Cancelling the caller's task calls off the batch that is under way; its entries stay queued.
    ///
    /// - Parameter ignoringBackOff: Whether to go ahead although a wait after a failure is not over, as when a person
    ///   asks for it or a network returns; the failures before no longer count then, and entries that were answered
    ///   with "later" are sent too. A wait that the server ordered is kept all the same.
    public func step(ignoringBackOff: Bool = false) async -> CourierStep {
        await step(ignoringBackOff: ignoringBackOff, due: ignoringBackOff ? endOfEntryWaits() : nil)
    }

    private func step(ignoringBackOff: Bool, due: Timestamp?) async -> CourierStep {
        if Task.isCancelled { return .held(.interrupted) }
        while let flight {
            let shared = await Self.end(of: flight)
            let isOurs = shared.didSend && shared.step != .held(.interrupted)
            if isOurs || Task.isCancelled { return shared.step }
        }
        let own = Task {
            let end = await advance(ignoringBackOff: ignoringBackOff, due: due)
            flight = nil
            return end
        }
        flight = own
        return await Self.end(of: own).step
    }

    /// Takes steps until one is something else than `.delivered`. An entry that is answered with "later" meanwhile is not
    /// sent again by this call.
    ///
    /// - Returns: What became of all the entries, and the last step.
    public func drain(ignoringBackOff: Bool = false) async -> (report: DeliveryReport, end: CourierStep) {
        var total = DeliveryReport()
        let due = ignoringBackOff ? endOfEntryWaits() : nil
        var step = await step(ignoringBackOff: ignoringBackOff, due: due)
        while case .delivered(let report) = step {
            total = total + report
            step = await self.step(ignoringBackOff: false, due: due)
        }
        return (total, step)
    }

    private static func end(of flight: Task<Flight, Never>) async -> Flight {
        await withTaskCancellationHandler {
            await flight.value
        } onCancel: {
            flight.cancel()
        }
    }
}

// MARK: - One step

extension Courier {
    private func advance(ignoringBackOff: Bool, due: Timestamp?) async -> Flight {
        do {
            if let known = unsettled { try await settle(known) }
            if Task.isCancelled { return Flight(step: .held(.interrupted)) }
            if let wait = standingWait(ignoringBackOff) { return Flight(step: wait) }
            guard let lease = try await store.lease(request(due: due)) else {
                return try await rest(ignoringBackOff: ignoringBackOff, due: due)
            }
            let standing = lease.entries.count > 1 ? BatchJudge.Standing.ahead : .alone
            return try await deliver(lease, standing, ignoringBackOff: ignoringBackOff, due: due)
        } catch {
            diagnostics.record(DiagnosticEvent(.storeFailed, platformCode: (error as? QueueStoreError)?.platformCode))
            return Flight(step: .held(.storeUnavailable))
        }
    }

    private func deliver(
        _ lease: Lease,
        _ standing: BatchJudge.Standing,
        ignoringBackOff: Bool,
        due: Timestamp?
    ) async throws -> Flight {
        retry = lease.retry.anchored(at: clock.now())
        sizing.faults = retry.faults
        if let wait = standingWait(ignoringBackOff) {
            try await release(lease)
            return Flight(step: wait)
        }
        // What failed before, such as without a network, says nothing of now, nor of the batches after this one.
        if ignoringBackOff { retry = retry.succeeded }
        await followKeys()
        let opening = await sealer.openAll(lease.entries, in: store, unopened: policy.unopened)
        if let error = opening.unavailable {
            diagnostics.record(DiagnosticEvent(.vaultUnavailable, platformCode: error.platformCode))
            try await release(lease)
            return Flight(step: .held(.vaultUnavailable))
        }
        let cut = BatchCut(opening.entries, limit: sizing.limit, maxBodyBytes: policy.maxBodyBytes, for: delivery)
        var outcomes = opening.outcomes.merging(cut.outcomes) { first, _ in first }
        var flight = Flight(step: .delivered(DeliveryReport()))
        var isPutOff = false
        if !cut.batch.isEmpty {
            let result = await delivery.deliver(cut.batch)
            let settlement = BatchJudge(policy: policy).judge(
                result,
                of: cut.batch,
                standing: standing,
                retry: retry,
                sizing: &sizing,
                now: clock.now(),
                using: &generator
            )
            outcomes.merge(settlement.outcomes) { first, _ in first }
            retry = settlement.retry
            flight = Flight(step: settlement.step, didSend: true)
            isPutOff = settlement.putsOff
        }
        note(outcomes, step: flight.step, sent: cut.batch.count)
        if case .delivered = flight.step { flight.step = .delivered(DeliveryReport(outcomes.values)) }
        let now = clock.now().wall
        let later = isPutOff ? now + policy.putOff : policy.deferral(at: now, after: due)
        let stored = await sealed(outcomes, of: lease, later: later)
        if !isPutOff {
            if outcomes.values.contains(.retry) { retry.entriesDue = later }
        } else if standing != .behind || lease.entries.count == 1 {
            // Each that was put off before has its turn until the first has its next.
            retry.entriesDue = now + policy.retry.cap
        }
        if now >= lease.expires { await heedOthers() }
        try await settle(Unsettled(lease: lease.id, outcomes: stored, retry: retry))
        return flight
    }

    /// Another process may have had the stream meanwhile: a wait that it was ordered holds here too.
    private func heedOthers() async {
        let now = clock.now()
        // If the store cannot tell, it can hardly take what is to be stored next.
        guard let known = try? await store.statistics(stream).retry, known.isOrdered,
            known.remaining(at: now) > retry.remaining(at: now)
        else { return }
        (retry.notBefore, retry.wait, retry.isOrdered) = (known.notBefore, known.wait, true)
    }

    /// Follows another process's rotation or erasure, at most once a second: looking through the vault takes a tenth of
    /// what a batch does until it is sent.
    private func followKeys() async {
        let now = clock.now().uptime
        if let last = keysFollowed, now - last < .seconds(1) { return }
        keysFollowed = now
        // It is not worth failing for: what is known already still opens.
        try? await sealer.ring.refresh()
    }

    private func request(due: Timestamp?) -> LeaseRequest {
        policy.request(sizing.limit, of: stream, due: due, now: clock.now().wall)
    }

    private func endOfEntryWaits() -> Timestamp { policy.endOfEntryWaits(at: clock.now().wall) }

    private func standingWait(_ ignoringBackOff: Bool) -> CourierStep? {
        retry.standingWait(at: clock.now(), ignoringBackOff: ignoringBackOff)
    }

    /// What to do when there is nothing to lease: send what was put off if it has waited for a while.
    private func rest(ignoringBackOff: Bool, due: Timestamp?) async throws -> Flight {
        let statistics = try await store.statistics(stream)
        guard statistics.queued > 0 else { return Flight(step: .idle) }
        let now = clock.now().wall
        if let wait = policy.waitForEntries(of: statistics.retry, due: due, now: now) {
            return Flight(step: .waiting(for: wait, .deferred))
        }
        let behind = max(now, due ?? now) + policy.putOff - policy.retry.cap
        guard let lease = try await store.lease(request(due: behind)) else {
            return Flight(step: .waiting(for: max(policy.entryWait, .seconds(1)), .leasedElsewhere))
        }
        return try await deliver(lease, .behind, ignoringBackOff: ignoringBackOff, due: due)
    }
}

// MARK: - Settling

extension Courier {
    private func release(_ lease: Lease) async throws {
        try await settle(Unsettled(lease: lease.id, outcomes: [:], retry: retry))
    }

    private func settle(_ known: Unsettled) async throws {
        unsettled = known
        try await store.settle(known.lease, of: stream, outcomes: known.outcomes, retry: known.retry)
        unsettled = nil
    }

    private func sealed(
        _ outcomes: [EntryID: DeliveryOutcome],
        of lease: Lease,
        later: Timestamp
    ) async -> [EntryID: EntryOutcome] {
        var result: [EntryID: EntryOutcome] = [:]
        for entry in lease.entries {
            switch outcomes[entry.draft.id] {
            case nil: break
            case .delivered, .duplicate: result[entry.draft.id] = .delivered(keep: policy.keepsDelivered)
            case .deadLettered(let reason, let note?):
                // A note that cannot be sealed is dropped rather than stored in clear; the outcome stands without it.
                let note = try? await sealer.sealNote(note, of: entry, in: store)
                result[entry.draft.id] = .deadLettered(reason, note: note)
            case .deadLettered(let reason, nil): result[entry.draft.id] = .deadLettered(reason, note: nil)
            case .retry: result[entry.draft.id] = .retry(notBefore: later)
            }
        }
        return result
    }

    private func note(_ outcomes: [EntryID: DeliveryOutcome], step: CourierStep, sent: Int) {
        let undecryptable = outcomes.values.filter { $0 == .deadLettered(.undecryptable, note: nil) }.count
        if undecryptable > 0 { diagnostics.record(DiagnosticEvent(.entryUndecryptable, count: undecryptable)) }
        switch step {
        case .waiting, .held: diagnostics.record(DiagnosticEvent(.deliveryFailed, count: sent))
        case .idle, .delivered: break
        }
    }
}
