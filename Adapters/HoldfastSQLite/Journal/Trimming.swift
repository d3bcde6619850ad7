import HoldfastDomain

/// How far a trim has come. It works in short transactions, so that appending never waits for a long one.
struct TrimProgress {
    /// Rows that one phase removes, and rows that it looks at, in one transaction at most.
    static let removedAtOnce = 512
    static let readAtOnce = 4096

    fileprivate enum Phase: CaseIterable {
        case delivered, deadLettered, age, overflow
    }

    fileprivate var phases = Phase.allCases[...]
    /// Up to here the queue has been looked through in this phase.
    fileprivate var position: EntryKey?
    fileprivate(set) var report = TrimReport()

    var isDone: Bool { phases.isEmpty }

    fileprivate mutating func endPhase() {
        phases.removeFirst()
        position = nil
    }
}

extension JournalFile {
    /// Takes a trim one transaction further.
    func trim(
        _ name: StreamName,
        to retention: Retention,
        now: Timestamp,
        _ earlier: TrimProgress
    ) throws -> TrimProgress {
        try write {
            var progress = earlier
            guard var stream = stream(name) else {
                progress.phases = []
                return progress
            }
            // A phase that is not over has had its share of this transaction.
            while let phase = progress.phases.first, try trim(&stream, phase, retention, now, &progress) {
                progress.endPhase()
            }
            if progress.report != earlier.report { update(stream) }
            return progress
        }
    }

    /// One stretch of one phase: whether the phase is over.
    private func trim(
        _ stream: inout StreamRow,
        _ phase: TrimProgress.Phase,
        _ retention: Retention,
        _ now: Timestamp,
        _ progress: inout TrimProgress
    ) throws -> Bool {
        switch phase {
        case .delivered:
            guard stream.delivered > 0, let limit = retention.deliveredFor else { return true }
            return try removeSettled(.delivered, after: limit, from: &stream, now, &progress)
        case .deadLettered:
            guard stream.deadLettered > 0, let limit = retention.deadLetteredFor else { return true }
            return try removeSettled(.deadLettered, after: limit, from: &stream, now, &progress)
        case .age:
            guard let age = retention.maxQueuedAge else { return true }
            let order = stream
            return try drop(.age, from: &stream, now, &progress) { head, _ in
                if head.recordedAt + age <= now { return .drop }
                return order.isYoungFromHere(head, age: age, now: now) ? .stop : .keep
            }
        case .overflow:
            guard let limit = retention.maxQueuedBytes else { return true }
            var excess = stream.liveBytes.subtractingSaturated(max(0, limit))
            return try drop(.overflow, from: &stream, now, &progress) { head, isBarred in
                guard excess > 0 else { return .stop }
                if !isBarred { excess -= head.byteCount }
                return .drop
            }
        }
    }

    private func removeSettled(
        _ state: StoredState,
        after limit: Interval,
        from stream: inout StreamRow,
        _ now: Timestamp,
        _ progress: inout TrimProgress
    ) throws -> Bool {
        try connection.run(.releaseHeld) {
            $0.bind(stream.number)
            $0.bind(state.rawValue)
            $0.bind(now.milliseconds)
            $0.bind(Int64(TrimProgress.removedAtOnce))
        }
        var heads: [EntryHead] = []
        try connection.rows(
            .removable,
            {
                $0.bind(stream.number)
                $0.bind(state.rawValue)
                $0.bind((now - limit).milliseconds)
                $0.bind(now.milliseconds)
                $0.bind(Int64(TrimProgress.removedAtOnce))
            },
            { row in
                heads.append(try row.head())
                return true
            }
        )
        for head in heads {
            try connection.run(.deleteSettled) { $0.bind(head.key.rawValue) }
            try forget(head, of: stream)
            stream.removeSettled(head, from: state)
        }
        progress.report.removed += heads.count
        return heads.count < TrimProgress.removedAtOnce
    }

    private enum Choice { case drop, keep, stop }

    /// Walks on from the oldest queued entry and drops what `choose` says, except what is barred: leased, or to be
    /// kept for longer.
    private func drop(
        _ reason: LossReason,
        from stream: inout StreamRow,
        _ now: Timestamp,
        _ progress: inout TrimProgress,
        _ choose: (_ head: EntryHead, _ isBarred: Bool) -> Choice
    ) throws -> Bool {
        let lease = try currentLease(of: stream).flatMap { lives($0, at: now) ? $0 : nil }
        var doomed: [EntryHead] = []
        var read = 0
        var isOver = true
        try eachQueuedHead(after: progress.position ?? stream.bounds.after, through: stream.bounds.through) { head in
            let isLeased = lease?.sequences.contains(head.key.sequence) ?? false
            let isBarred = isLeased || head.keepUntil.map { $0 > now } ?? false
            let choice = choose(head, isBarred)
            if choice == .stop { return false }
            if choice == .drop, !isBarred { doomed.append(head) }
            progress.position = head.key
            read += 1
            isOver = read < TrimProgress.readAtOnce && doomed.count < TrimProgress.removedAtOnce
            return isOver
        }
        for head in doomed { try removeQueued(head, from: &stream) }
        if !doomed.isEmpty {
            progress.report.dropped[reason, default: 0] += doomed.count
            try addLosses([reason: doomed.count], to: stream)
        }
        return isOver
    }
}
