import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Each broken archive, store of values and file is caught by the check that is meant for it.
final class JournalMutantTests: XCTestCase {
    func testASoundJournalIsNotCaught() async {
        let archive = await broken(Conformance.entryArchive) { Mutant() }
        XCTAssertEqual(archive, [])
        let values = await broken(Conformance.stateStore) { Mutant() }
        XCTAssertEqual(values, [])
        let failing = await broken(Conformance.failingJournal) { Self.failing(Mutant()) }
        XCTAssertEqual(failing, [])
    }

    // MARK: EntryArchive

    private func assertCaught(
        _ check: String,
        line: UInt = #line,
        _ breakIt: @Sendable (inout Mutant) -> Void
    ) async {
        var mutant = Mutant()
        breakIt(&mutant)
        let caught = await broken(Conformance.entryArchive) { [mutant] in Mutant(copying: mutant) }
        XCTAssert(caught.contains(check), "caught by \(caught.sorted())", line: line)
    }

    func testTellsOnlyWhatIsQueued() async {
        await assertCaught("tells_every_state_in_order") { mutant in
            mutant.listing = { store, stream, after, limit in
                try await store.base.entries(stream, after: after, limit: limit).filter { $0.state == .queued }
            }
        }
    }

    func testBeginsWithTheSequenceItself() async {
        await assertCaught("goes_on_after_a_sequence") { mutant in
            mutant.listing = { store, stream, after, limit in
                try await store.base.entries(stream, after: max(0, after) - 1, limit: limit)
            }
        }
    }

    func testFindsAnyKey() async {
        await assertCaught("finds_by_key") { mutant in
            mutant.searching = { store, stream, _, limit in
                try await store.base.entries(stream, after: 0, limit: limit)
            }
        }
    }

    func testResealsWhateverTheKey() async {
        await assertCaught("reseals_only_from_the_old_key") { mutant in
            mutant.resealing = { store, entries in
                var count = 0
                for key in 1...3 as ClosedRange<UInt32> {
                    count += try await store.base.reseal(
                        entries.map { entry in
                            var entry = entry
                            entry.oldKey = KeyID(key)
                            return entry
                        }
                    )
                }
                return count
            }
        }
    }

    func testLeavesTheNoteBehind() async {
        await assertCaught("reseals_the_note_with_it") { mutant in
            mutant.resealing = { store, entries in
                try await store.base.reseal(
                    entries.map { entry in
                        var entry = entry
                        entry.note = entry.note ?? [5]
                        return entry
                    }
                )
            }
        }
    }

    func testRetiresNothing() async {
        await assertCaught("a_retired_key_seals_nothing") { mutant in
            mutant.retiring = { store, stream, floor in
                Set(try await store.base.statistics(stream).entriesByKey.keys.filter { $0 < floor })
            }
        }
    }

    func testResealsWithARetiredKey() async {
        await assertCaught("a_retired_key_seals_nothing") { mutant in
            // Told to the checks, but not to the one that could keep to it.
            mutant.retiring = { store, stream, floor in
                await store.memory.raise(floor)
                return Set(try await store.base.statistics(stream).entriesByKey.keys.filter { $0 < floor })
            }
            mutant.appending = { store, drafts in
                var outcomes: [AppendOutcome] = []
                for draft in drafts {
                    let floor = await store.memory.floor
                    let isKnown = try await store.base.entries(draft.stream, after: 0, limit: .max)
                        .contains { $0.draft.id == draft.id || $0.draft.place == draft.place && draft.place != nil }
                    if draft.keyID < floor, !isKnown {
                        outcomes.append(.keyRetired(floor: floor))
                    } else {
                        outcomes += try await store.base.append([draft], durability: .processDeath)
                    }
                }
                return outcomes
            }
        }
    }

    func testTellsOnlyKeysOfWhatIsQueued() async {
        await assertCaught("retiring_tells_the_keys_still_needed") { mutant in
            mutant.retiring = { store, stream, floor in
                let needed = try await store.base.retireKeys(of: stream, below: floor)
                let queued = try await store.base.entries(stream, after: 0, limit: .max).filter { $0.state == .queued }
                return needed.intersection(queued.map(\.draft.keyID))
            }
        }
    }

    func testTheLastFloorStands() async {
        await assertCaught("the_key_floor_never_falls") { mutant in
            mutant.retiring = { store, stream, floor in
                await store.memory.set(floor)
                return try await store.base.retireKeys(of: stream, below: floor)
            }
            mutant.counting = { store, stream in
                var counts = try await store.base.statistics(stream)
                if counts.keyFloor > KeyID(1) { counts.keyFloor = await store.memory.floor }
                return counts
            }
        }
    }

    func testRetiresAfterItHasCounted() async {
        await assertCaught("retiring_and_appending_do_not_cross") { mutant in
            mutant.retiring = { store, stream, floor in
                let counted = try await store.base.statistics(stream).entriesByKey
                // Long enough for another to append in between.
                for _ in 0..<1000 { await Task.yield() }
                _ = try await store.base.retireKeys(of: stream, below: floor)
                return Set(counted.keys.filter { $0 < floor })
            }
        }
    }

    func testErasesWithoutCounting() async {
        await assertCaught("erases_a_stream_and_counts_it") { mutant in
            mutant.erasing = { store, stream, reason in
                let outcomes = try await store.base.entries(stream, after: 0, limit: .max).map {
                    ($0.draft.id, EntryOutcome.delivered(keep: false))
                }
                try await store.base.settle(
                    Lease.ID("none"),
                    of: stream,
                    outcomes: Dictionary(outcomes, uniquingKeysWith: { first, _ in first }),
                    retry: RetryState()
                )
                return outcomes.count
            }
        }
    }

    func testNumbersBeginAnewAfterErasing() async {
        await assertCaught("numbers_go_on_after_erasing") { mutant in
            mutant.erasing = { store, stream, reason in
                await store.memory.forgetLeases()
                return try await store.base.erase(stream, reason: reason)
            }
            mutant.appending = { store, drafts in
                let before = try await store.base.statistics(StreamName("first"))
                let isErased = before.queued == 0 && before.lastSequence > 0
                return try await store.base.append(drafts, durability: .processDeath).map { outcome in
                    guard isErased, case .appended(let sequence) = outcome else { return outcome }
                    return .appended(sequence: sequence - before.lastSequence)
                }
            }
        }
    }

    func testALeaseOutlivesWhatWasErased() async {
        await assertCaught("numbers_go_on_after_erasing") { mutant in
            mutant.leasing = { store, request in
                if let held = await store.memory.newest, request.now < held.expires { return nil }
                let lease = try await store.base.lease(request)
                await store.memory.note(lease)
                return lease
            }
            mutant.settling = { store, settlement in
                await store.memory.forgetLeases()
                try await store.base.settle(settlement)
            }
        }
    }

    // MARK: StateStore

    private func assertValuesCaught(
        _ check: String,
        line: UInt = #line,
        _ breakIt: @Sendable (inout Mutant) -> Void
    ) async {
        var mutant = Mutant()
        breakIt(&mutant)
        let caught = await broken(Conformance.stateStore) { [mutant] in Mutant(copying: mutant) }
        XCTAssert(caught.contains(check), "caught by \(caught.sorted())", line: line)
    }

    func testNothingIsEmpty() async {
        await assertValuesCaught("nothing_is_nil") { mutant in
            mutant.reading = { store, name in try await store.base.value(named: name) ?? [] }
        }
    }

    func testAnEmptyValueIsNothing() async {
        await assertValuesCaught("gives_back_what_was_stored") { mutant in
            mutant.reading = { store, name in
                let value = try await store.base.value(named: name)
                return value?.isEmpty == true ? nil : value
            }
        }
    }

    func testTheFirstValueStands() async {
        await assertValuesCaught("the_last_value_stands") { mutant in
            mutant.writing = { store, value, name in
                let earlier = try await store.base.value(named: name)
                try await store.base.setValue(value == nil ? nil : earlier ?? value, named: name)
            }
        }
    }

    func testNilIsIgnored() async {
        await assertValuesCaught("nil_removes") { mutant in
            mutant.writing = { store, value, name in
                if let value { try await store.base.setValue(value, named: name) }
            }
        }
    }

    func testNamesAreFolded() async {
        await assertValuesCaught("names_are_apart") { mutant in
            mutant.reading = { store, name in try await store.base.value(named: name.lowercased()) }
            mutant.writing = { store, value, name in try await store.base.setValue(value, named: name.lowercased()) }
        }
    }

    // MARK: Failing and restarting

    private static func failing(_ mutant: Mutant) -> Conformance.FailingJournal {
        Conformance.FailingJournal(mutant) { isFailing in
            await mutant.base.fail(with: isFailing ? QueueStoreError(.full) : nil)
        }
    }

    func testACallThatFailsHalfWay() async {
        let caught = await broken(Conformance.failingJournal) {
            var mutant = Mutant()
            mutant.appending = { store, drafts in
                do {
                    return try await store.base.append(drafts, durability: .processDeath)
                } catch {
                    await store.base.fail(with: nil)
                    _ = try await store.base.append(Array(drafts.prefix(1)), durability: .processDeath)
                    await store.base.fail(with: error as? QueueStoreError)
                    throw error
                }
            }
            return Self.failing(mutant)
        }
        XCTAssertEqual(caught, ["a_call_that_throws_does_nothing"])
    }

    func testAPlaceThatForgetsEverything() async {
        let caught = await broken(Conformance.durableJournal) {
            Conformance.JournalPlace(open: { InMemoryQueueStore() }, close: { _ in })
        }
        XCTAssert(
            caught.isSuperset(of: [
                "entries_outlive_a_restart", "counts_outlive_a_restart", "values_outlive_a_restart",
            ]),
            "\(caught)"
        )
    }

    func testALeaseThatOutlivesItsHolder() async {
        let caught = await broken(Conformance.durableJournal) {
            let journal = InMemoryQueueStore()
            return Conformance.JournalPlace(open: { journal }, close: { _ in })
        }
        XCTAssertEqual(caught, ["lease_ends_with_its_holder"])
    }
}
