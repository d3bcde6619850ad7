import HoldfastDomain

extension Conformance {
    /// The promises of `EntryArchive`. Each check wants an empty journal.
    public static let entryArchive = ConformanceSuite<any QueueStore & EntryArchive>([
        .init("tells_every_state_in_order") { journal in
            try await journal.take((1...4).map { .number($0, at: .checkTime - .days(Int64($0))) })
            try await journal.take(5...5, in: .second)
            try await journal.settle(
                try required(try await journal.lease(count: 3)),
                [1: .delivered(keep: true), 3: .deadLettered(.rejected, note: [7])]
            )
            let entries = try await journal.entries(.first, after: 0, limit: 100)
            try promise(entries.map(\.sequence) == [1, 2, 3, 4], "told \(entries.map(\.sequence))")
            let states: [Entry.State] = [.delivered, .queued, .deadLettered(.rejected, note: [7]), .queued]
            try promise(entries.map(\.state) == states, "told other states")
        },
        .init("goes_on_after_a_sequence") { journal in
            try await journal.take(1...7)
            var seen: [Int64] = []
            while true {
                let page = try await journal.entries(.first, after: seen.last ?? 0, limit: 3)
                if page.isEmpty { break }
                try promise(page.count <= 3, "\(page.count) entries for a limit of 3")
                try promise(seen.count < 7, "pages never end")
                seen += page.map(\.sequence)
            }
            try promise(seen == Array(1...7), "in pages: \(seen)")
            for (after, limit) in [(7, 9), (.max, 9), (0, 0), (0, -1)] as [(Int64, Int)] {
                let none = try await journal.entries(.first, after: after, limit: limit)
                try promise(none.isEmpty, "after \(after), limit \(limit): \(none.count) entries")
            }
            let all = try await journal.entries(.first, after: .min, limit: .max)
            try promise(all.count == 7, "after the smallest number there are \(all.count)")
        },
        .init("finds_by_key") { journal in
            try await journal.take((1...6).map { .number($0, key: UInt32(1 + $0 % 2)) })
            try await journal.settle(try required(try await journal.lease(count: 2)), [2: .delivered(keep: true)])
            let found = try await journal.entries(.first, sealedWith: KeyID(1), limit: 2)
            try promise(found.map(\.sequence) == [2, 4], "the first two of key 1 are \(found.map(\.sequence))")
            let none = try await journal.entries(.first, sealedWith: KeyID(3), limit: 2)
            try promise(none.isEmpty, "key 3 has sealed nothing")
        },
        .init("reseals_only_from_the_old_key") { journal in
            try await journal.take([.number(1, key: 1), .number(2, key: 2), .number(3, key: 1)])
            let count = try await journal.reseal([.number(1), .number(2), .number(3, to: 3), .number(9)])
            try promise(count == 2, "\(count) of two were replaced")
            let entries = try await journal.entries(.first, after: 0, limit: 9)
            try promise(entries.map { $0.draft.keyID.rawValue } == [2, 2, 3], "the keys are others")
            try promise(entries.at(0)?.draft.sealed == [1, 2, 3], "the new bytes are not there")
            try promise(entries.at(1)?.draft == .number(2, key: 2), "one of another key was replaced")
            let counts = try await journal.statistics(.first)
            try promise(counts.entriesByKey == [KeyID(2): 2, KeyID(3): 1], "the keys are counted otherwise")
            try promise(counts.liveBytes == 16, "\(counts.liveBytes) live bytes instead of 16")
        },
        .init("resealing_works_through_all") { journal in
            try await journal.take(1...20)
            try await journal.settle(try required(try await journal.lease(count: 5)), [3: .delivered(keep: true)])
            for step in 0... {
                let found = try await journal.entries(.first, sealedWith: KeyID(1), limit: 3)
                if found.isEmpty { break }
                try promise(step < 20, "it never ends")
                let count = try await journal.reseal(
                    found.map { Resealed(id: $0.draft.id, oldKey: KeyID(1), newKey: KeyID(2), sealed: [9]) }
                )
                try promise(count == found.count, "\(count) of \(found.count) were replaced")
            }
            let counts = try await journal.statistics(.first)
            try promise(counts.entriesByKey == [KeyID(2): 20], "after the last step a row still needs the old key")
            _ = try await journal.reseal([
                Resealed(id: .number(1), oldKey: KeyID(2), newKey: KeyID(1), sealed: [8])
            ])
            let back = try await journal.entries(.first, sealedWith: KeyID(1), limit: 3)
            try promise(back.map(\.sequence) == [1], "one sealed with the first key again is not found")
        },
        .init("reseals_the_note_with_it") { journal in
            try await journal.take(1...2)
            try await journal.settleAll(as: .deadLettered(.rejected, note: [5]))
            let count = try await journal.reseal([.number(1, note: [6]), .number(2)])
            try promise(count == 1, "\(count) were replaced, with one note given for two")
            let entries = try await journal.entries(.first, after: 0, limit: 9)
            try promise(entries.at(0)?.state == .deadLettered(.rejected, note: [6]), "the new note is not there")
            try promise(entries.at(1)?.draft.keyID == KeyID(1), "an entry left its note behind under the old key")
        },
        .init("resealing_keeps_the_rest") { journal in
            try await journal.take([.number(1, place: .of(1, 1), keepUntil: .checkTime), .number(2)])
            let lease = try required(try await journal.lease())
            try await journal.settle(lease, [2: .retry(notBefore: .checkTime + .hours(2))])
            _ = try await journal.reseal([.number(1), .number(2)])
            var expected = Draft.number(1, place: .of(1, 1), key: 2, keepUntil: .checkTime)
            expected.sealed = [1, 2, 3]
            let latest = try await journal.latest(SubjectVersion.of(1, 1).subject)
            try promise(latest == Entry(draft: expected, sequence: 1), "something else of the entry changed")
            let next = try await journal.lease()
            try promise(next.sequences == [1], "a retry time was forgotten: \(next.sequences) were leased")
        },
        .init("a_retired_key_seals_nothing") { journal in
            try await journal.take([.number(1, place: .of(1, 1)), .number(2, key: 2)])
            _ = try await journal.retireKeys(of: .first, below: KeyID(3))
            let drafts: [Draft] = [
                .number(1), .number(3, place: .of(1, 1)), .number(4, place: .of(1, 2), key: 2), .number(5, key: 3),
            ]
            let outcomes = try await journal.take(drafts)
            try promise(outcomes.at(0) == .duplicate, "an id that is there is told otherwise")
            guard case .conflict = outcomes.at(1) else { throw Broken(detail: "a taken place is told otherwise") }
            try promise(outcomes.at(2) == .keyRetired(floor: KeyID(3)), "a draft under a retired key was taken")
            try promise(outcomes.at(3) == .appended(sequence: 3), "one under the lowest key that seals was not")
            let latest = try await journal.latest(SubjectVersion.of(1, 1).subject)
            try promise(latest?.draft.place?.version == 1, "what was refused has taken a place")
            let count = try await journal.reseal([.number(1)])
            try promise(count == 0, "something was resealed with a retired key")
            let again = try await journal.take([.number(4, place: .of(1, 2), key: 4)])
            try promise(again == [.appended(sequence: 4)], "what was refused cannot be appended under another key")
        },
        .init("retiring_tells_the_keys_still_needed") { journal in
            try await journal.take((1...5).map { .number($0, key: UInt32($0)) })
            let lease = try required(try await journal.lease(count: 3))
            try await journal.settle(
                lease,
                [1: .delivered(keep: true), 2: .deadLettered(.rejected, note: nil), 3: .delivered(keep: false)]
            )
            let needed = try await journal.retireKeys(of: .first, below: KeyID(5))
            try promise(needed == [KeyID(1), KeyID(2), KeyID(4)], "needed are \(needed.sorted().map(\.rawValue))")
            let count = try await journal.reseal([.number(1, to: 5)])
            try promise(count == 1, "an entry under a retired key cannot be resealed")
            let fewer = try await journal.retireKeys(of: .first, below: KeyID(3))
            try promise(fewer == [KeyID(2)], "needed below 3 are \(fewer.sorted().map(\.rawValue))")
        },
        .init("the_key_floor_never_falls") { journal in
            let unset = try await journal.statistics(.first).keyFloor
            try promise(unset == KeyID(1), "the floor of a new stream is \(unset.rawValue)")
            _ = try await journal.retireKeys(of: .first, below: KeyID(3))
            _ = try await journal.retireKeys(of: .first, below: KeyID(2))
            let other = try await journal.take([.number(1, in: .second)]).sequences
            try promise(other == [1], "another stream's keys were retired too")
            _ = try await journal.erase(.first, reason: .consent)
            let outcome = try await journal.take([.number(2, key: 2)])
            try promise(outcome == [.keyRetired(floor: KeyID(3))], "the floor has fallen")
            let floors = (
                try await journal.statistics(.first).keyFloor, try await journal.statistics(.second).keyFloor
            )
            try promise(floors == (KeyID(3), KeyID(1)), "the floors are told otherwise")
        },
        .init("retiring_and_appending_do_not_cross") { journal in
            for round in 1...20 {
                let key = UInt32(round)
                async let needed = journal.retireKeys(of: .first, below: KeyID(key + 1))
                async let outcomes = journal.take((0..<4).map { .number(round * 10 + $0, key: key) })
                let isNeeded = try await needed.contains(KeyID(key))
                let isTaken = try await outcomes.sequences.contains { $0 != nil }
                let count = try await journal.entries(.first, sealedWith: KeyID(key), limit: 9).count
                try promise(isTaken == (count > 0), "an outcome and the entries disagree")
                try promise(isNeeded || count == 0, "a key that no entry needed has sealed one afterwards")
            }
        },
        .init("erases_a_stream_and_counts_it") { journal in
            try await journal.take([.number(1, place: .of(1, 1))])
            try await journal.take(2...5)
            try await journal.take(6...6, in: .second)
            let lease = try required(try await journal.lease(count: 3))
            try await journal.settle(lease, [1: .delivered(keep: true), 2: .deadLettered(.rejected, note: nil)])
            _ = try required(try await journal.lease(count: 1))
            let count = try await journal.erase(.first, reason: .consent)
            try promise(count == 5, "\(count) of 5 were erased")
            let counts = try await journal.statistics(.first)
            try promise(
                counts.queued == 0 && counts.delivered == 0 && counts.deadLettered == 0 && counts.liveBytes == 0
                    && counts.entriesByKey.isEmpty,
                "something is still counted"
            )
            try promise(
                counts.losses == [.rejected: 1, .consent: 3],
                "the ledger says \(counts.losses.values.sorted())"
            )
            let latest = try await journal.latest(SubjectVersion.of(1, 1).subject)
            try promise(latest == nil, "an erased entry is still a subject's latest")
            let other = try await journal.statistics(.second)
            try promise(other.queued == 1, "another stream was erased too")
            let none = try await journal.erase(StreamName("unknown"), reason: .consent)
            try promise(none == 0, "an unknown stream had \(none) entries")
        },
        .init("numbers_go_on_after_erasing") { journal in
            try await journal.take(1...3)
            // It ends with what it was for: it would bar what comes next.
            _ = try required(try await journal.lease(count: 1))
            _ = try await journal.erase(.first, reason: .consent)
            let again = try await journal.take([1, 4]).sequences
            try promise(again == [4, 5], "after 3 erased entries the next got \(again)")
            let lease = try await journal.lease()
            try promise(lease.sequences == [4, 5], "leased \(lease.sequences)")
        },
    ])
}

extension Resealed {
    static func number(_ number: Int, to key: UInt32 = 2, note: [UInt8]? = nil) -> Resealed {
        Resealed(id: .number(number), oldKey: KeyID(1), newKey: KeyID(key), sealed: [1, 2, 3], note: note)
    }
}
