import HoldfastDomain

extension Conformance {
    /// The promises of `QueueStore`. Each check wants an empty store.
    public static let queueStore = ConformanceSuite<any QueueStore>(appending + leasing + settling + trimming)

    typealias StoreCheck = ConformanceSuite<any QueueStore>.Check

    static let appending: [StoreCheck] = [
        .init("numbers_without_holes") { store in
            let first = try await store.take(1...3).sequences
            try promise(first == [1, 2, 3], "three drafts got \(first)")
            let repeated = try await store.take([2, 4, 1, 5]).sequences
            try promise(repeated == [nil, 4, nil, 5], "two repeated among two new drafts got \(repeated)")
            try await store.settleAll(as: .delivered(keep: false))
            let later = try await store.take([6]).sequences
            try promise(later == [6], "after all were removed the next got \(later)")
            let none = try await store.take([Int]())
            try promise(none.isEmpty, "no draft got \(none.count) outcomes")
        },
        .init("keeps_what_was_appended") { store in
            let drafts: [Draft] = [
                .number(1, bytes: 0, key: .max), .number(2, bytes: 100_000, at: .distantPast),
                .number(3, at: .distantFuture, place: .of(1, .max), keepUntil: .checkTime),
            ]
            try await store.take(drafts)
            let entries = try await store.lease()?.entries ?? []
            try promise(entries.map(\.draft) == drafts, "\(drafts.count) drafts came back otherwise")
            try promise(entries.allSatisfy { $0.state == .queued }, "an entry that waits is not queued")
        },
        .init("tells_a_repeated_id") { store in
            try await store.take([.number(1)])
            for repeated in [
                Draft.number(1), .number(1, in: .second), .number(1, bytes: 99, at: .distantPast, key: 2),
                .number(1, place: .of(1, 1)),
            ] {
                let outcome = try await store.take([repeated])
                try promise(outcome == [.duplicate], "a repeated id was answered with \(outcome)")
            }
            let within = try await store.take([.number(2), .number(2), .number(3)]).sequences
            try promise(within == [2, nil, 3], "an id twice in one call got \(within)")
            let latest = try await store.latest(SubjectVersion.of(1, 1).subject)
            try promise(latest == nil, "a duplicate took a place")
            let counts = try await store.statistics(.first)
            try promise(counts.queued == 3 && counts.liveBytes == 30, "a duplicate was counted")
        },
        .init("remembers_ids_beyond_the_newest") { store in
            for start in stride(from: 0, to: 6000, by: 1000) { try await store.take(start..<(start + 1000)) }
            let old = try await store.take([.number(0), .number(3000), .number(5999)])
            try promise(old == [.duplicate, .duplicate, .duplicate], "of 6000 ids three were answered with \(old)")
        },
        .init("gives_a_place_once") { store in
            try await store.take([.number(1, place: .of(1, 1)), .number(2, place: .of(2, 1))])
            let outcomes = try await store.take([
                .number(3, in: .second, place: .of(1, 1)), .number(4, place: .of(1, 2)),
                .number(5, place: .of(1, 2)), .number(6),
            ])
            try promise(outcomes.sequences == [nil, 3, nil, 4], "places taken and free got \(outcomes.sequences)")
            let first = AppendOutcome.conflict(existing: Entry(draft: .number(1, place: .of(1, 1)), sequence: 1))
            try promise(outcomes.at(0) == first, "the one who has the place is not told")
            let second = AppendOutcome.conflict(existing: Entry(draft: .number(4, place: .of(1, 2)), sequence: 3))
            try promise(outcomes.at(2) == second, "the one who took the place in the same call is not told")
        },
        .init("one_of_many_wins_a_place") { store in
            let outcomes = try await withThrowingTaskGroup(of: [AppendOutcome].self) { group in
                for number in 1...64 {
                    group.addTask { try await store.take([.number(number, place: .of(1, 1))]) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let winners = outcomes.sequences.compactMap { $0 }
            try promise(winners == [1], "\(winners.count) of 64 got the place, with sequences \(winners)")
            let entry = try await store.latest(SubjectVersion.of(1, 1).subject)
            let losers = outcomes.filter { $0 == entry.map { .conflict(existing: $0) } }
            try promise(losers.count == 63, "\(losers.count) of 63 were told who won")
        },
        .init("appends_at_once_lose_nothing") { store in
            let outcomes = try await withThrowingTaskGroup(of: [AppendOutcome].self) { group in
                for number in 1...64 {
                    let durability: Durability = number % 2 == 0 ? .powerLoss : .processDeath
                    group.addTask {
                        try await store.append([.number(number), .number(100 + number)], durability: durability)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let pairs = outcomes.map { $0.sequences.compactMap { $0 } }
            try promise(pairs.allSatisfy { $0.count == 2 && $0[0] + 1 == $0[1] }, "a call was torn apart")
            let all = pairs.flatMap { $0 }.sorted()
            try promise(all == Array(1...128), "128 drafts got \(all.count) numbers up to \(all.last ?? 0)")
        },
        .init("latest_is_the_highest_version") { store in
            let subject = SubjectVersion.of(1, 1).subject
            let none = try await store.latest(subject)
            try promise(none == nil, "a subject without history has a latest entry")
            try await store.take([.number(1, place: .of(1, 2)), .number(2, place: .of(1, 9)), .number(3)])
            try await store.take([.number(4, in: .second, place: .of(1, 5)), .number(5, place: .of(2, 10))])
            let queued = try await store.latest(subject)
            try promise(queued?.draft.id == .number(2), "the latest is not that of the highest version")
            try await store.settleAll(as: .delivered(keep: true))
            let delivered = try await store.latest(subject)
            try promise(delivered?.draft.id == .number(2), "once delivered, the latest is another")
            try promise(delivered?.state == .delivered, "the latest does not tell its state")
        },
        .init("streams_are_apart") { store in
            try await store.take(1...2, in: .first)
            let other = try await store.take(3...3, in: .second).sequences
            try promise(other == [1], "the second stream's first entry got \(other)")
            let lease = try await store.lease(.second)
            try promise(lease.sequences == [1], "the second stream leased \(lease.sequences)")
            let both = try await store.lease(.first)
            try promise(both.sequences == [1, 2], "beside it the first leased \(both.sequences)")
            let unknown = try await store.statistics(StreamName("unknown"))
            try promise(unknown.queued == 0 && unknown.lastSequence == 0, "an unknown stream is not empty")
        },
        .init("order_is_that_of_appending") { store in
            // The clock is set back an hour between two records: order and dropping go by sequence all the same.
            try await store.take([
                .number(1, at: .checkTime), .number(2, at: .checkTime - .hours(1)), .number(3, at: .checkTime),
            ])
            let lease = try await store.lease()
            try promise(lease.sequences == [1, 2, 3], "leased in the order \(lease.sequences)")
            try await store.settle(try required(lease), [:])
            let report = try await store.trim(.first, to: Retention(maxQueuedBytes: 20), now: .checkTime)
            let left = try await store.lease()
            try promise(report.dropped == [.overflow: 1], "one too many, and \(report.dropped.count) reasons to drop")
            try promise(left.sequences == [2, 3], "not the first that was appended was dropped")
        },
    ]
}
