import HoldfastDomain

extension Conformance {
    static let settling: [StoreCheck] = [
        .init("settles_by_id") { store in
            try await store.take(1...4)
            try await store.take(5...5, in: .second)
            let lease = try required(try await store.lease(count: 3))
            try await store.settle(
                lease,
                [
                    3: .delivered(keep: false), 1: .deadLettered(.rejected, note: nil), 99: .delivered(keep: false),
                    5: .delivered(keep: false),
                ]
            )
            let other = try await store.lease(.second)
            try promise(other.sequences == [1], "an entry of another stream was settled")
            let next = try await store.lease()
            try promise(next.sequences == [2, 4], "of 1 to 4, 1 and 3 were settled; left are \(next.sequences)")
        },
        .init("unnamed_entries_stay_queued") { store in
            try await store.take(1...3)
            try await store.settle(try required(try await store.lease()), [2: .delivered(keep: false)])
            let counts = try await store.statistics(.first)
            try promise(counts.queued == 2, "\(counts.queued) are queued")
            let next = try await store.lease()
            try promise(next.sequences == [1, 3], "left are \(next.sequences)")
        },
        .init("late_acknowledgement_counts") { store in
            try await store.take(1...3)
            let late = try required(try await store.lease())
            let current = try required(try await store.lease(after: .minutes(61)))
            try await store.settle(
                late,
                [
                    1: .delivered(keep: false), 2: .deadLettered(.rejected, note: nil),
                    3: .retry(notBefore: .checkTime + .hours(2)),
                ]
            )
            let counts = try await store.statistics(.first)
            try promise(counts.queued == 1 && counts.deadLettered == 1, "a late answer did not count")
            let barred = try await store.lease(after: .minutes(61))
            try promise(barred == nil, "a late answer ended the lease that lives")
            try await store.settle(current, [2: .delivered(keep: false), 1: .retry(notBefore: .distantFuture)])
            let next = try await store.lease(after: .minutes(62))
            try promise(next.sequences == [3], "a late retry barred an entry; leased \(next.sequences)")
            let after = try await store.statistics(.first)
            try promise(after.deadLettered == 1, "what was settled was settled again")
        },
        .init("settling_again_changes_nothing") { store in
            try await store.take(1...2)
            let lease = try required(try await store.lease())
            try await store.settle(lease, [1: .delivered(keep: true), 2: .deadLettered(.rejected, note: [1])])
            try await store.settle(
                lease,
                [1: .deadLettered(.rejected, note: nil), 2: .delivered(keep: false), 77: .delivered(keep: true)]
            )
            let counts = try await store.statistics(.first)
            try promise(
                counts.delivered == 1 && counts.deadLettered == 1 && counts.losses == [.rejected: 1],
                "\(counts.delivered) delivered, \(counts.deadLettered) dead, losses \(counts.losses.values.sorted())"
            )
        },
        .init("delivered_entries_are_kept_or_gone") { store in
            try await store.take([.number(1, place: .of(1, 1)), .number(2, place: .of(2, 1)), .number(3)])
            try await store.take([.number(4, place: .of(3, 1), keepUntil: .distantPast)])
            let lease = try required(try await store.lease())
            try await store.settle(
                lease,
                [
                    1: .delivered(keep: true), 2: .delivered(keep: false), 3: .delivered(keep: false),
                    4: .delivered(keep: false),
                ]
            )
            let counts = try await store.statistics(.first)
            try promise(counts.delivered == 2, "\(counts.delivered) of two are kept")
            let kept = try await store.latest(SubjectVersion.of(1, 1).subject)
            let gone = try await store.latest(SubjectVersion.of(2, 1).subject)
            let until = try await store.latest(SubjectVersion.of(3, 1).subject)
            try promise(kept?.state == .delivered, "a kept one is not found")
            try promise(gone == nil, "a removed one is found")
            try promise(until?.state == .delivered, "one with a time to be kept until is gone")
            let again = try await store.take([.number(2), .number(3), .number(1)]).sequences
            try promise(again == [5, 6, nil], "ids of two removed and a kept entry got \(again)")
        },
        .init("dead_letters_are_kept_and_counted") { store in
            try await store.take([.number(1, place: .of(1, 1)), .number(2)])
            let lease = try required(try await store.lease())
            try await store.settle(
                lease,
                [1: .deadLettered(.rejected, note: [1, 2, 3]), 2: .deadLettered(.undecryptable, note: nil)]
            )
            let entry = try await store.latest(SubjectVersion.of(1, 1).subject)
            try promise(entry?.state == .deadLettered(.rejected, note: [1, 2, 3]), "reason and note are not kept")
            let counts = try await store.statistics(.first)
            try promise(counts.deadLettered == 2 && counts.queued == 0, "\(counts.deadLettered) of two are dead")
            try promise(counts.losses == [.rejected: 1, .undecryptable: 1], "the ledger does not have them")
        },
        .init("stores_the_retry_state") { store in
            try await store.take(1...1)
            try await store.settle(try required(try await store.lease()), [:], retry: .ordered)
            let stored = try await store.statistics(.first).retry
            try promise(stored == .ordered, "another state came back")
            let other = try await store.statistics(.second).retry
            try promise(other == RetryState(), "another stream has it too")
            try await store.settleAll(as: .delivered(keep: false))
            try await store.settle(Lease.ID("nobody's"), of: .first, outcomes: [:], retry: RetryState())
            let reset = try await store.statistics(.first).retry
            try promise(reset == RetryState(), "it is not replaced")
        },
    ]
}
