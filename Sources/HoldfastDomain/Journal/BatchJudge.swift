/// Decides what a batch's result means: for its entries, for the stream's waits and for the courier's caller. Pure.
struct BatchJudge: Sendable {
    /// Where a batch stands in the queue.
    enum Standing: Hashable, Sendable {
        /// Others wait behind it.
        case ahead
        /// It is all there is.
        case alone
        /// Its entries were put off before, and have nothing but such before them.
        case behind
    }

    /// What is to be stored, and said.
    struct Settlement: Hashable, Sendable {
        var outcomes: [EntryID: DeliveryOutcome]
        var retry: RetryState
        var step: CourierStep
        /// Whether the batch, a single entry, is to come after all others from now on.
        var putsOff = false
    }

    let policy: CourierPolicy

    /// Judges the result of sending `batch` from a stream in the state `retry`.
    func judge(
        _ result: DeliveryResult,
        of batch: [OpenedEntry],
        standing: Standing,
        retry: RetryState,
        sizing: inout BatchSizing,
        now: ClockReading,
        using generator: inout some RandomNumberGenerator
    ) -> Settlement {
        var settlement = Settlement(outcomes: [:], retry: retry, step: .delivered(DeliveryReport()))
        for entry in batch { settlement.outcomes[entry.id] = result.outcomes[entry.id] }
        let isProgress = settlement.outcomes.values.contains { $0 != .retry }
        func waits(_ serverWait: Interval?) {
            settlement.retry = policy.retry.failed(retry, at: now, serverWait: serverWait, using: &generator)
            let why = settlement.retry.isOrdered ? DeliveryObstacle.serverWait : .backoff
            settlement.step = .waiting(for: settlement.retry.wait, why)
        }
        func setsAside(_ note: [UInt8]?) {
            settlement.retry = retry.succeeded
            for entry in batch where settlement.outcomes[entry.id] == nil {
                settlement.outcomes[entry.id] = .deadLettered(.rejected, note: note)
            }
        }
        func refused(_ note: [UInt8]?) {
            switch sizing.refused(batch.count) {
            case .narrow: break
            case .setAside: setsAside(note)
            case .hold: settlement.step = .held(.refused)
            }
        }
        switch result.verdict {
        case .proceed where isProgress:
            settlement.retry = retry.succeeded
            sizing.accepted(batch.count)
        case .proceed: waits(nil)
        case .backOff(let serverWait): waits(serverWait)
        case .serverFault:
            let isStuck = sizing.failed(batch.count, isSuspect: standing == .behind)
            settlement.putsOff = isStuck && standing != .alone
            if settlement.putsOff { for entry in batch { settlement.outcomes[entry.id] = .retry } }
            waits(nil)
        case .hold(let obstacle): settlement.step = .held(obstacle)
        case .split where batch.count > 1: sizing.tooLarge(batch.count)
        // Too large alone is as good as refused, which a server may do to everything.
        case .split: refused(nil)
        case .rejected(let note): refused(note)
        case .interrupted: settlement.step = .held(.interrupted)
        }
        settlement.retry.faults = sizing.faults
        return settlement
    }
}

extension DeliveryReport {
    /// Counts what becomes of entries.
    init(_ outcomes: some Collection<DeliveryOutcome>) {
        self.init()
        for outcome in outcomes {
            switch outcome {
            case .delivered: delivered += 1
            case .duplicate:
                delivered += 1
                duplicates += 1
            case .deadLettered(let reason, _): deadLettered[reason, default: 0] += 1
            case .retry: retried += 1
            }
        }
    }
}
