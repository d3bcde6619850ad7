import HoldfastDomain

extension Conformance {
    static let trimming: [StoreCheck] = [
        .init("drops_oldest_first") { store in
            try await store.take((1...5).map { .number($0, bytes: 100) })
            let fits = try await store.trim(.first, to: Retention(maxQueuedBytes: 500), now: .checkTime)
            try promise(fits == TrimReport(), "a stream within its limit was trimmed")
            let report = try await store.trim(.first, to: Retention(maxQueuedBytes: 299), now: .checkTime)
            try promise(report == TrimReport(dropped: [.overflow: 3]), "dropped \(report.dropped.values.sorted())")
            let left = try await store.lease()
            try promise(left.sequences == [4, 5], "left are \(left.sequences)")
            let counts = try await store.statistics(.first)
            try promise(counts.losses == [.overflow: 3], "the ledger says \(counts.losses.values.sorted())")
            try promise(counts.liveBytes == 200, "\(counts.liveBytes) bytes of 200 are counted")
        },
        .init("drops_many") { store in
            for start in stride(from: 0, to: 3000, by: 500) { try await store.take(start..<(start + 500)) }
            let report = try await store.trim(.first, to: Retention(maxQueuedBytes: 100), now: .checkTime)
            try promise(report.dropped == [.overflow: 2990], "of 3000 were dropped \(report.dropped.values.sorted())")
            let left = try await store.lease()
            try promise(left.sequences == Array(2991...3000), "not the newest ten are left")
        },
        .init("drops_by_age") { store in
            let now = Timestamp.checkTime
            let limit = now - .days(7)
            let times = [now - .days(8), now, limit, limit + .milliseconds(1), now + .days(9)]
            try await store.take(times.enumerated().map { .number($0.offset + 1, at: $0.element) })
            let report = try await store.trim(.first, to: Retention(maxQueuedAge: .days(7)), now: .checkTime)
            try promise(report == TrimReport(dropped: [.age: 2]), "dropped \(report.dropped.values.sorted())")
            let left = try await store.lease()
            try promise(left.sequences == [2, 4, 5], "left are \(left.sequences)")
            let losses = try await store.statistics(.first).losses
            try promise(losses == [.age: 2], "the ledger says \(losses.values.sorted())")
        },
        .init("spares_leased_entries") { store in
            try await store.take((1...5).map { .number($0, bytes: 100, at: .checkTime - .days(30)) })
            let lease = try required(try await store.lease(count: 2))
            let during = lease.expires - .milliseconds(1)
            let full = try await store.trim(.first, to: Retention(maxQueuedBytes: 400), now: during)
            try promise(full.dropped == [.overflow: 1], "leased entries count against the limit, too")
            let retention = Retention(maxQueuedBytes: 100, maxQueuedAge: .days(1))
            let report = try await store.trim(.first, to: retention, now: during)
            try promise(report.dropped == [.age: 2], "beside two leased entries were dropped \(report.dropped.count)")
            let counts = try await store.statistics(.first)
            try promise(counts.queued == 2, "\(counts.queued) of two leased entries are left")
            let later = try await store.trim(.first, to: retention, now: lease.expires)
            try promise(later.dropped == [.age: 2], "after the lease they were not dropped")
        },
        .init("spares_what_is_to_be_kept") { store in
            let until = Timestamp.checkTime + .days(1)
            try await store.take([.number(1, at: .checkTime - .days(30), keepUntil: until), .number(2), .number(3)])
            try await store.settle(
                try required(try await store.lease(count: 2)),
                [1: .delivered(keep: true), 2: .deadLettered(.rejected, note: nil)]
            )
            let nothing = Retention(deliveredFor: .zero, deadLetteredFor: .zero)
            let early = try await store.trim(.first, to: nothing, now: until - .milliseconds(1))
            try promise(early == TrimReport(removed: 1), "before its time \(early.removed) were removed")
            let late = try await store.trim(.first, to: nothing, now: until)
            try promise(late == TrimReport(removed: 1), "at its time \(late.removed) were removed")
            try await store.take([.number(4, keepUntil: until)])
            let tight = Retention(maxQueuedBytes: 0, maxQueuedAge: .zero)
            let queued = try await store.trim(.first, to: tight, now: until - .milliseconds(1))
            try promise(queued.dropped == [.age: 1], "a queued entry to be kept was dropped")
        },
        .init("removes_past_retention") { store in
            try await store.take(
                (1...4).map { .number($0, at: .checkTime - .days(Int64($0)), place: .of(UInt8($0), 1)) }
            )
            try await store.settle(
                try required(try await store.lease()),
                [
                    1: .delivered(keep: true), 2: .delivered(keep: true), 3: .deadLettered(.rejected, note: nil),
                    4: .deadLettered(.rejected, note: nil),
                ]
            )
            let retention = Retention(deliveredFor: .days(2), deadLetteredFor: .days(4))
            let early = try await store.trim(.first, to: retention, now: .checkTime - .milliseconds(1))
            try promise(early == TrimReport(), "removed before its retention was over")
            let report = try await store.trim(.first, to: retention, now: .checkTime)
            try promise(report == TrimReport(removed: 2), "\(report.removed) of two were removed")
            let counts = try await store.statistics(.first)
            try promise(counts.delivered == 1 && counts.deadLettered == 1, "the wrong ones were removed")
            try promise(counts.losses == [.rejected: 2], "removing was counted as a loss")
            let gone = try await store.latest(SubjectVersion.of(2, 1).subject)
            try promise(gone == nil, "a removed entry is still a subject's latest")
        },
        .init("no_limit_drops_nothing") { store in
            try await store.take((1...3).map { .number($0, bytes: 1000, at: .distantPast) })
            try await store.settle(
                try required(try await store.lease(count: 2)),
                [1: .delivered(keep: true), 2: .deadLettered(.rejected, note: nil)]
            )
            let report = try await store.trim(.first, to: Retention(), now: .distantFuture)
            try promise(report == TrimReport(), "something was dropped")
            let counts = try await store.statistics(.first)
            try promise(counts.queued + counts.delivered + counts.deadLettered == 3, "something is gone")
        },
        .init("losses_add_up") { store in
            try await store.recordLosses([.oversize: 2, .invalid: 1], of: .first)
            try await store.recordLosses([.oversize: 3, .invalid: 0], of: .first)
            try await store.take((1...3).map { .number($0, at: .checkTime - .days(1)) })
            try await store.settle(
                try required(try await store.lease(count: 1)),
                [1: .deadLettered(.oversize, note: nil)]
            )
            _ = try await store.trim(.first, to: Retention(maxQueuedBytes: 10), now: .checkTime)
            _ = try await store.trim(.first, to: Retention(maxQueuedAge: .hours(1)), now: .checkTime)
            let losses = try await store.statistics(.first).losses
            try promise(
                losses == [.oversize: 6, .invalid: 1, .overflow: 1, .age: 1],
                "the ledger says \(losses.map { "\($0.key.rawValue) \($0.value)" }.sorted())"
            )
            let other = try await store.statistics(.second).losses
            try promise(other.isEmpty, "another stream has losses too")
        },
        .init("counts_are_true") { store in
            try await store.take([
                .number(1, bytes: 7, key: 1), .number(2, bytes: 11, at: .checkTime + .days(1), key: 2),
                .number(3, bytes: 13, key: 2), .number(4, bytes: 17, key: 3), .number(5, bytes: 19, key: 3),
            ])
            try await store.settle(
                try required(try await store.lease(count: 4)),
                [
                    1: .delivered(keep: true), 3: .deadLettered(.rejected, note: [1]), 4: .delivered(keep: false),
                ]
            )
            let counts = try await store.statistics(.first)
            let numbers = [counts.queued, counts.delivered, counts.deadLettered, Int(counts.lastSequence)]
            try promise(numbers == [2, 1, 1, 5], "queued, delivered, dead and last are \(numbers)")
            try promise(counts.liveBytes == 30, "\(counts.liveBytes) live bytes instead of 30")
            try promise(counts.oldestQueued == .checkTime + .days(1), "the oldest queued entry is another")
            try promise(counts.newestRecorded == .checkTime + .days(1), "the newest record is another")
            let keys = counts.entriesByKey.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
            try promise(keys.map(\.0) == [1, 2, 3] && keys.map(\.1) == [1, 2, 1], "keys are counted as \(keys)")
            try promise(counts.diskBytes >= 0, "takes less than no space")
        },
    ]
}
