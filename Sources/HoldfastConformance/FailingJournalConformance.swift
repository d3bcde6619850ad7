import HoldfastDomain

extension Conformance {
    /// A journal that can be made to fail, as on a full disk or behind another's lock.
    public struct FailingJournal: Sendable {
        let journal: any Journal
        let setFailing: @Sendable (Bool) async throws -> Void

        /// A journal to check.
        ///
        /// - Parameters:
        ///   - journal: A fresh, empty journal.
        ///   - setFailing: Makes every call that writes fail from now on, or ends that.
        public init(_ journal: any Journal, setFailing: @escaping @Sendable (Bool) async throws -> Void) {
            self.journal = journal
            self.setFailing = setFailing
        }
    }

    /// What a journal promises when it cannot do what is asked.
    public static let failingJournal = ConformanceSuite<FailingJournal>([
        .init("a_call_that_throws_does_nothing") { subject in
            let journal = subject.journal
            try await journal.take(1...3)
            try await journal.setValue([1], named: "a")
            let lease = try required(try await journal.lease(count: 2))
            let before = try await Snapshot(journal)
            try await subject.setFailing(true)
            let calls: [(String, () async throws -> Void)] = [
                ("append", { try await journal.take([.number(4), .number(5, place: .of(1, 1))]) }),
                ("settle", { try await journal.settle(lease, [1: .delivered(keep: false)], retry: .ordered) }),
                ("trim", { _ = try await journal.trim(.first, to: Retention(maxQueuedBytes: 0), now: .distantFuture) }),
                ("recordLosses", { try await journal.recordLosses([.invalid: 1], of: .first) }),
                ("reseal", { _ = try await journal.reseal([.number(1)]) }),
                ("retireKeys", { _ = try await journal.retireKeys(of: .first, below: KeyID(2)) }),
                ("erase", { _ = try await journal.erase(.first, reason: .consent) }),
                ("setValue", { try await journal.setValue([2], named: "a") }),
            ]
            for (name, call) in calls {
                try await promise(throwing: QueueStoreError.self, "\(name) on a store that fails", from: call)
            }
            try await subject.setFailing(false)
            let after = try await Snapshot(journal)
            try promise(after == before, "something has changed")
            let next = try await journal.take([.number(4)]).sequences
            try promise(next == [4], "a number was used up: the next is \(next)")
            try await journal.settle(lease, [1: .delivered(keep: false)])
            let left = try await journal.lease()
            try promise(left.sequences == [2, 3, 4], "the lease of before was lost; left are \(left.sequences)")
        }
    ])

    private struct Snapshot: Equatable {
        let entries: [Entry]
        var statistics: StreamStatistics
        let value: [UInt8]?
        let latest: Entry?

        init(_ journal: any Journal) async throws {
            entries = try await journal.entries(.first, after: 0, limit: 100)
            statistics = try await journal.statistics(.first)
            statistics.diskBytes = 0
            value = try await journal.value(named: "a")
            latest = try await journal.latest(SubjectVersion.of(1, 1).subject)
        }
    }
}
