import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Each broken queue is caught by the check that is meant for it.
final class QueueStoreMutantTests: XCTestCase {
    private func assertCaught(
        _ check: String,
        line: UInt = #line,
        _ breakIt: @Sendable (inout Mutant) -> Void
    ) async {
        var mutant = Mutant()
        breakIt(&mutant)
        let caught = await broken(Conformance.queueStore) { [mutant] in Mutant(copying: mutant) }
        XCTAssert(caught.contains(check), "caught by \(caught.sorted())", line: line)
    }

    func testASoundQueueIsNotCaught() async {
        let caught = await broken(Conformance.queueStore) { Mutant() }
        XCTAssertEqual(caught, [])
    }

    // MARK: Appending

    func testHolesInTheNumbers() async {
        await assertCaught("numbers_without_holes") { mutant in
            mutant.appending = { store, drafts in
                try await store.base.append(drafts, durability: .processDeath).map { outcome in
                    guard case .appended(let sequence) = outcome else { return outcome }
                    return .appended(sequence: sequence * 2 - 1)
                }
            }
        }
    }

    func testARepeatedIdIsTakenAgain() async {
        await assertCaught("tells_a_repeated_id") { mutant in
            mutant.appending = { store, drafts in
                var outcomes: [AppendOutcome] = []
                for var draft in drafts {
                    var outcome = try await store.base.append([draft], durability: .processDeath)[0]
                    if outcome == .duplicate {
                        draft.id = EntryID(high: draft.id.high, low: .random(in: 1 << 40 ... .max))
                        outcome = try await store.base.append([draft], durability: .processDeath)[0]
                    }
                    outcomes.append(outcome)
                }
                return outcomes
            }
        }
    }

    func testOnlyTheNewestIdsAreRemembered() async {
        await assertCaught("remembers_ids_beyond_the_newest") { mutant in
            mutant.appending = { store, drafts in
                let known = await store.memory.noteIDs(drafts.map(\.id))
                let outcomes = try await store.base.append(drafts, durability: .processDeath)
                return zip(drafts, outcomes).map { draft, outcome in
                    outcome == .duplicate && !known.contains(draft.id) ? .appended(sequence: 1) : outcome
                }
            }
        }
    }

    func testAPlaceHasTwoWinners() async {
        for check in ["gives_a_place_once", "one_of_many_wins_a_place"] {
            await assertCaught(check) { mutant in
                mutant.appending = { store, drafts in
                    var outcomes: [AppendOutcome] = []
                    for var draft in drafts {
                        var outcome = try await store.base.append([draft], durability: .processDeath)[0]
                        if case .conflict = outcome {
                            draft.place = nil
                            outcome = try await store.base.append([draft], durability: .processDeath)[0]
                        }
                        outcomes.append(outcome)
                    }
                    return outcomes
                }
            }
        }
    }

    func testACallIsTornApart() async {
        await assertCaught("appends_at_once_lose_nothing") { mutant in
            mutant.appending = { store, drafts in
                // Calls of more drafts are not made at once, and would only wait in vain.
                guard drafts.count == 2 else { return try await store.base.append(drafts, durability: .processDeath) }
                var outcomes: [AppendOutcome] = []
                for draft in drafts {
                    outcomes += try await store.base.append([draft], durability: .processDeath)
                    let count = await store.memory.countAppend()
                    // Until one of another call has come in between, if there is another call at all.
                    var patience = draft == drafts.last ? 0 : 20_000
                    while patience > 0, await store.memory.appends == count {
                        patience -= 1
                        await Task.yield()
                    }
                }
                return outcomes
            }
        }
    }

    func testTheLatestIsTheLastAppended() async {
        await assertCaught("latest_is_the_highest_version") { mutant in
            mutant.appending = { store, drafts in
                let outcomes = try await store.base.append(drafts, durability: .processDeath)
                for case (let draft, .appended(let sequence)) in zip(drafts, outcomes) {
                    await store.memory.note(draft, sequence: sequence)
                }
                return outcomes
            }
            mutant.finding = { store, subject in await store.memory.lastOfSubject[subject] }
        }
    }

    func testStreamsAreMixed() async {
        await assertCaught("streams_are_apart") { mutant in
            mutant.appending = { store, drafts in
                let mixed = drafts.map { draft in
                    var draft = draft
                    draft.stream = StreamName("first")
                    return draft
                }
                return try await store.base.append(mixed, durability: .processDeath)
            }
        }
    }

    // MARK: Leasing

    func testOrderIsLost() async {
        await assertCaught("leases_oldest_first") { mutant in
            mutant.leasing = { store, request in
                var lease = try await store.base.lease(request)
                lease?.entries.reverse()
                return lease
            }
        }
    }

    func testOrderIsThatOfTheClock() async {
        await assertCaught("order_is_that_of_appending") { mutant in
            mutant.leasing = { store, request in
                var lease = try await store.base.lease(request)
                lease?.entries.sort { $0.draft.recordedAt < $1.draft.recordedAt }
                return lease
            }
        }
    }

    func testTheByteLimitIsIgnored() async {
        await assertCaught("keeps_to_count_and_bytes") { mutant in
            mutant.leasing = { store, request in
                var request = request
                request.maxBytes = .max
                return try await store.base.lease(request)
            }
        }
    }

    func testALargeFirstEntryBlocksTheQueue() async {
        await assertCaught("keeps_to_count_and_bytes") { mutant in
            mutant.leasing = { store, request in
                let lease = try await store.base.lease(request)
                let first = lease?.entries.first?.draft.sealed.count ?? 0
                return first > request.maxBytes ? nil : lease
            }
        }
    }

    func testTwoLeasesLiveAtOnce() async {
        await assertCaught("one_lease_lives_at_a_time") { mutant in
            mutant.leasing = { store, request in
                if let live = await store.memory.newest {
                    try await store.base.settle(live.id, of: request.stream, outcomes: [:], retry: live.retry)
                }
                let lease = try await store.base.lease(request)
                await store.memory.note(lease)
                return lease
            }
        }
    }

    func testALeaseNeverExpires() async {
        await assertCaught("lease_expires") { mutant in
            mutant.leasing = { store, request in
                var request = request
                request.duration = .hours(20)
                return try await store.base.lease(request)
            }
        }
    }

    func testAClockSetBackBarsTheStream() async {
        await assertCaught("clock_set_back_ends_a_lease") { mutant in
            mutant.leasing = { store, request in
                var request = request
                request.now = await store.memory.advance(to: request.now)
                return try await store.base.lease(request)
            }
        }
    }

    func testTheRetryTimeIsIgnored() async {
        await assertCaught("retry_time_bars_until_it_comes") { mutant in
            mutant.settling = { store, settlement in
                var settlement = settlement
                settlement.outcomes = settlement.outcomes.filter { outcome in
                    if case .retry = outcome.value { return false }
                    return true
                }
                try await store.base.settle(settlement)
            }
        }
    }

    func testAnImpossibleRetryTimeBarsForEver() async {
        await assertCaught("retry_time_beyond_the_longest_wait_bars_nothing") { mutant in
            mutant.leasing = { store, request in
                var request = request
                request.longestWait = .days(10_000)
                return try await store.base.lease(request)
            }
        }
    }

    func testNobodyMayPassOverARetryTime() async {
        await assertCaught("retry_time_that_comes_by_due_bars_nothing") { mutant in
            mutant.leasing = { store, request in
                var request = request
                request.due = request.now
                return try await store.base.lease(request)
            }
        }
    }

    func testTheLeaseForgetsTheRetryState() async {
        await assertCaught("lease_brings_the_retry_state") { mutant in
            mutant.leasing = { store, request in
                var lease = try await store.base.lease(request)
                lease?.retry = RetryState()
                return lease
            }
        }
    }
}

extension Mutant {
    /// As broken as another, and empty.
    init(copying other: Mutant) {
        self.init(
            appending: other.appending,
            finding: other.finding,
            leasing: other.leasing,
            settling: other.settling,
            trimming: other.trimming,
            recording: other.recording,
            counting: other.counting,
            listing: other.listing,
            searching: other.searching,
            resealing: other.resealing,
            retiring: other.retiring,
            erasing: other.erasing,
            reading: other.reading,
            writing: other.writing
        )
    }
}
