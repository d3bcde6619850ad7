import HoldfastDomain

extension JournalFile {
    /// Ends a lease and settles entries one by one.
    func settle(
        _ lease: Lease.ID,
        of name: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) throws {
        try write {
            var stream = try makeStream(name)
            var left = outcomes
            if let current = try currentLease(of: stream), current.id == lease.rawValue {
                try connection.run(.deleteLease) { $0.bind(stream.number) }
                // By the lease's own runs the entries are read in the order they lie, not one by one by random id.
                for run in current.sequences.ranges where !left.isEmpty {
                    // All before the first is settled, which removes it from what is being read.
                    var heads: [EntryHead] = []
                    try eachQueuedHead(after: stream.key(run.lowerBound - 1), through: stream.key(run.upperBound)) {
                        if left[$0.id] != nil { heads.append($0) }
                        return heads.count < left.count
                    }
                    for head in heads {
                        guard let outcome = left.removeValue(forKey: head.id) else { continue }
                        try settle(head, outcome, underLease: true, in: &stream)
                    }
                }
            }
            for (id, outcome) in left {
                guard let key = try key(of: id), key.stream == stream.number, let head = try queuedHead(key) else {
                    continue
                }
                try settle(head, outcome, underLease: false, in: &stream)
            }
            stream.retry = retry.bytes
            try connection.run(.setRetry) {
                $0.bind(stream.number)
                $0.bind(stream.retry)
            }
            update(stream)
        }
    }

    private func settle(
        _ head: EntryHead,
        _ outcome: EntryOutcome,
        underLease: Bool,
        in stream: inout StreamRow
    ) throws {
        switch outcome {
        case .delivered(let keep):
            if keep || head.keepUntil != nil {
                try move(head, to: .delivered, in: &stream)
            } else {
                try removeQueued(head, from: &stream)
            }
        case .deadLettered(let reason, let note):
            try move(head, to: .deadLettered, reason: reason, note: note, in: &stream)
            try addLosses([reason: 1], to: stream)
        case .retry(let notBefore):
            guard underLease else { return }
            try connection.run(.setNotBefore) {
                $0.bind(head.key.rawValue)
                $0.bind(notBefore.milliseconds)
            }
        }
    }

    func move(
        _ head: EntryHead,
        to state: StoredState,
        reason: LossReason? = nil,
        note: [UInt8]? = nil,
        in stream: inout StreamRow
    ) throws {
        try connection.run(.settle) {
            $0.bind(head.key.rawValue)
            $0.bind(stream.number)
            $0.bind(state.rawValue)
            $0.bind(reason?.rawValue)
            $0.bind(note)
        }
        try connection.run(.deleteQueued) { $0.bind(head.key.rawValue) }
        stream.settle(head, as: state)
    }

    func removeQueued(_ head: EntryHead, from stream: inout StreamRow) throws {
        try connection.run(.deleteQueued) { $0.bind(head.key.rawValue) }
        try forget(head, of: stream)
        stream.removeQueued(head)
    }

    func addLosses(_ losses: [LossReason: Int], to stream: StreamRow) throws {
        for (reason, count) in losses where count > 0 {
            try connection.run(.addLoss) {
                $0.bind(stream.number)
                $0.bind(reason.rawValue)
                $0.bind(Int64(count))
            }
        }
    }

    private func queuedHead(_ key: EntryKey) throws -> EntryHead? {
        try connection.first(.queuedHead, { $0.bind(key.rawValue) }, { try $0.head() })
    }
}
