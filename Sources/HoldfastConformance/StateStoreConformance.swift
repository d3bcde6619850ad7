import HoldfastDomain

extension Conformance {
    /// The promises of `StateStore`. Each check wants an empty store.
    public static let stateStore = ConformanceSuite<any StateStore>([
        .init("nothing_is_nil") { store in
            let value = try await store.value(named: "a")
            try promise(value == nil, "a name never used has a value")
            try await store.setValue(nil, named: "a")
            let removed = try await store.value(named: "a")
            try promise(removed == nil, "removing nothing left something")
        },
        .init("gives_back_what_was_stored") { store in
            for value in [[], [0], [UInt8](repeating: 0xff, count: 100_000)] as [[UInt8]] {
                try await store.setValue(value, named: "a")
                let found = try await store.value(named: "a")
                try promise(found == value, "\(value.count) bytes came back as \(found.map { "\($0.count)" } ?? "nil")")
            }
        },
        .init("the_last_value_stands") { store in
            for value in 1...3 as ClosedRange<UInt8> { try await store.setValue([value], named: "a") }
            let found = try await store.value(named: "a")
            try promise(found == [3], "an earlier value stands")
        },
        .init("nil_removes") { store in
            try await store.setValue([1], named: "a")
            try await store.setValue([2], named: "b")
            try await store.setValue(nil, named: "a")
            let (removed, kept) = (try await store.value(named: "a"), try await store.value(named: "b"))
            try promise(removed == nil, "a removed value is still there")
            try promise(kept == [2], "another value went with it")
        },
        .init("names_are_apart") { store in
            let names = [
                "", "a", "A", "a ", "ä", "'; DROP TABLE value; --", String(repeating: "n", count: 500),
            ]
            for (index, name) in names.enumerated() { try await store.setValue([UInt8(index)], named: name) }
            for (index, name) in names.enumerated() {
                let found = try await store.value(named: name)
                try promise(found == [UInt8(index)], "name number \(index) has another's value")
            }
        },
    ])

    /// A place where a journal lives on when it is closed.
    public struct JournalPlace: Sendable {
        let open: @Sendable () async throws -> any Journal
        let close: @Sendable (any Journal) async throws -> Void

        /// A place without a journal yet.
        ///
        /// - Parameters:
        ///   - open: Opens the journal that is there, or makes one.
        ///   - close: Closes one that `open` returned, as the end of its process does.
        public init(
            open: @escaping @Sendable () async throws -> any Journal,
            close: @escaping @Sendable (any Journal) async throws -> Void
        ) {
            self.open = open
            self.close = close
        }

        func restart(_ journal: any Journal) async throws -> any Journal {
            try await close(journal)
            return try await open()
        }
    }

    /// What a journal that is more than memory promises besides. Each check wants an empty place.
    public static let durableJournal = ConformanceSuite<JournalPlace>([
        .init("entries_outlive_a_restart") { place in
            var journal = try await place.open()
            let drafts: [Draft] = (1...5).map { .number($0, place: .of(UInt8($0), 1), keepUntil: .checkTime) }
            _ = try await journal.append(drafts, durability: .powerLoss)
            let lease = try required(try await journal.lease(count: 3))
            try await journal.settle(
                lease,
                [
                    1: .delivered(keep: true), 2: .deadLettered(.rejected, note: [1]),
                    3: .retry(notBefore: .checkTime + .hours(2)),
                ]
            )
            let before = try await journal.entries(.first, after: 0, limit: 9)
            journal = try await place.restart(journal)
            let after = try await journal.entries(.first, after: 0, limit: 9)
            try promise(after == before && after.count == 5, "\(before.count) entries became \(after.count), or others")
            let next = try await journal.lease()
            try promise(next.sequences == [4, 5], "a retry time was forgotten: \(next.sequences) were leased")
            let again = try await journal.take([drafts[0], .number(6, place: .of(5, 1)), .number(7)])
            try promise(again.sequences == [nil, nil, 6], "ids, places or numbers were forgotten: \(again.sequences)")
        },
        .init("counts_outlive_a_restart") { place in
            var journal = try await place.open()
            try await journal.take(1...4)
            try await journal.recordLosses([.invalid: 3], of: .first)
            _ = try await journal.retireKeys(of: .first, below: KeyID(2))
            try await journal.settle(
                try required(try await journal.lease(count: 2)),
                [1: .delivered(keep: true)],
                retry: .ordered
            )
            var before = try await journal.statistics(.first)
            journal = try await place.restart(journal)
            var after = try await journal.statistics(.first)
            (before.diskBytes, after.diskBytes) = (0, 0)
            try promise(after == before, "the counts are others")
        },
        .init("lease_ends_with_its_holder") { place in
            var journal = try await place.open()
            try await journal.take(1...3)
            let lease = try required(try await journal.lease())
            journal = try await place.restart(journal)
            let next = try await journal.lease()
            try promise(next.sequences == [1, 2, 3], "entries of a holder that is gone: \(next.sequences) were leased")
            try promise(next?.id != lease.id, "two leases have one id")
        },
        .init("values_outlive_a_restart") { place in
            var journal = try await place.open()
            try await journal.setValue([1, 2], named: "a")
            try await journal.setValue([3], named: "b")
            try await journal.setValue(nil, named: "b")
            journal = try await place.restart(journal)
            let (kept, removed) = (try await journal.value(named: "a"), try await journal.value(named: "b"))
            try promise(kept == [1, 2], "a value did not outlive a restart")
            try promise(removed == nil, "a removed value came back")
        },
    ])
}
