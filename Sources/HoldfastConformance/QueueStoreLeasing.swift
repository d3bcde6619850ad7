import HoldfastDomain

extension Conformance {
    static let leasing: [StoreCheck] = [
        .init("leases_oldest_first") { store in
            try await store.take([5, 3, 9, 1])
            let lease = try await store.lease(count: 3)
            try promise(lease.sequences == [1, 2, 3], "leased \(lease.sequences)")
            let ids = lease?.entries.map(\.draft.id)
            try promise(ids == [.number(5), .number(3), .number(9)], "not in the order of appending")
            try promise(lease?.expires == .checkTime + .minutes(60) + .seconds(30), "does not end when asked to")
        },
        .init("keeps_to_count_and_bytes") { store in
            try await store.take([.number(1, bytes: 50), .number(2, bytes: 10), .number(3, bytes: 5)])
            let none = try await store.lease(count: 0)
            try promise(none == nil, "leased \(none.sequences) when asked for none")
            for (count, bytes, expected) in [
                (2, .max, [1, 2]), (9, 60, [1, 2]), (9, 64, [1, 2]), (9, 65, [1, 2, 3]),
            ]
                as [(Int, Int, [Int64])]
            {
                let lease = try await store.lease(count: count, bytes: bytes)
                try promise(lease.sequences == expected, "\(count) and \(bytes) bytes leased \(lease.sequences)")
                try await store.settle(try required(lease), [:])
            }
            for bytes in [0, 1, 49] {
                let lease = try await store.lease(bytes: bytes)
                try promise(lease.sequences == [1], "a first entry larger than \(bytes) bytes: \(lease.sequences)")
                try await store.settle(try required(lease), [:])
            }
        },
        .init("one_lease_lives_at_a_time") { store in
            try await store.take(1...4)
            let first = try required(try await store.lease(count: 2))
            for _ in 1...3 {
                let second = try await store.lease(after: .minutes(60) + .seconds(29))
                try promise(second == nil, "beside a live lease \(second.sequences) were leased")
            }
            try await store.settle(first, [1: .delivered(keep: false)])
            let next = try await store.lease()
            try promise(next.sequences == [2, 3, 4], "after settling \(next.sequences) were leased")
            try promise(next?.id != first.id, "two leases have one id")
        },
        .init("lease_expires") { store in
            try await store.take(1...2)
            let first = try required(try await store.lease())
            let second = try await store.lease(after: .minutes(60) + .seconds(30))
            try promise(second.sequences == [1, 2], "after its end \(second.sequences) were leased")
            try promise(second?.id != first.id, "two leases have one id")
        },
        .init("no_lease_without_entries") { store in
            let empty = try await store.lease()
            try promise(empty == nil, "an empty store leased something")
            try await store.take(1...2)
            try await store.settleAll(as: .delivered(keep: true))
            let settled = try await store.lease()
            try promise(settled == nil, "settled entries \(settled.sequences) were leased")
        },
        .init("clock_set_back_ends_a_lease") { store in
            try await store.take(1...2)
            _ = try required(try await store.lease())
            let earlier = try await store.lease(after: .minutes(59))
            try promise(earlier.sequences == [1, 2], "a lease from the future barred the stream")
        },
        .init("lease_beyond_the_longest_wait_bars_nothing") { store in
            try await store.take(1...2)
            _ = try required(try await store.lease(for: .hours(25)))
            let next = try await store.lease(after: .minutes(61))
            try promise(next.sequences == [1, 2], "a lease that ends in 25 hours barred the stream")
        },
        .init("retry_time_bars_until_it_comes") { store in
            try await store.take(1...3)
            let lease = try required(try await store.lease())
            try await store.settle(lease, [2: .retry(notBefore: .checkTime + .minutes(70))])
            let others = try await store.lease()
            try promise(others.sequences == [1, 3], "before its time \(others.sequences) were leased")
            try await store.settle(try required(others), [:])
            let all = try await store.lease(after: .minutes(70))
            try promise(all.sequences == [1, 2, 3], "at its time \(all.sequences) were leased")
        },
        .init("retry_time_beyond_the_longest_wait_bars_nothing") { store in
            try await store.take(1...1)
            let lease = try required(try await store.lease())
            try await store.settle(lease, [1: .retry(notBefore: .checkTime + .minutes(60) + .hours(24))])
            let honest = try await store.lease()
            try promise(honest == nil, "a retry time 24 hours ahead was passed over")
            let earlier = try await store.lease(after: .minutes(59))
            try promise(earlier.sequences == [1], "a retry time more than 24 hours ahead barred the entry")
        },
        .init("retry_time_that_comes_by_due_bars_nothing") { store in
            try await store.take(1...3)
            let now = Timestamp.checkTime + .minutes(60)
            let first = try required(try await store.lease())
            try await store.settle(
                first,
                [1: .retry(notBefore: now + .minutes(10)), 2: .retry(notBefore: now + .minutes(11))]
            )
            let request = { (due: Timestamp?) in
                LeaseRequest(stream: .first, maxCount: 9, now: now, duration: .seconds(30), due: due)
            }
            let lease = try await store.lease(request(now + .minutes(10)))
            try promise(lease.sequences == [1, 3], "by the first entry's time \(lease.sequences) were leased")
            let second = try await store.lease(request(now + .hours(1)))
            try promise(second == nil, "beside a live lease \(second.sequences) were leased")
        },
        .init("lease_brings_the_retry_state") { store in
            try await store.take(1...2)
            let first = try required(try await store.lease())
            try promise(first.retry == RetryState(), "a new stream has a retry state")
            try await store.settle(first, [:], retry: .ordered)
            let second = try await store.lease()
            try promise(second?.retry == .ordered, "the lease does not bring what was stored")
        },
    ]
}

extension RetryState {
    /// A wait that a server ordered.
    static let ordered = RetryState(
        failures: 3,
        notBefore: ClockReading(wall: .checkTime, uptime: .seconds(77), boot: BootID("boot-1")),
        wait: .seconds(60),
        isOrdered: true,
        entriesDue: .checkTime + .seconds(5)
    )
}
