import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Each queue that settles or trims wrongly is caught by the check that is meant for it.
final class SettlementMutantTests: XCTestCase {
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

    // MARK: Settling

    func testSettlesByPosition() async {
        await assertCaught("settles_by_id") { mutant in
            mutant.settling = { store, settlement in
                var settlement = settlement
                let entries = await store.memory.leases[settlement.lease]?.entries ?? []
                let pairs = zip(entries.map(\.draft.id), settlement.outcomes.values)
                settlement.outcomes = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
                try await store.base.settle(settlement)
            }
        }
    }

    func testSettlesInAnyStream() async {
        await assertCaught("settles_by_id") { mutant in
            mutant.settling = { store, settlement in
                try await store.base.settle(settlement)
                try await store.base.settle(
                    Lease.ID("none"),
                    of: StreamName("second"),
                    outcomes: settlement.outcomes,
                    retry: RetryState()
                )
            }
        }
    }

    func testUnnamedEntriesAreTakenForDelivered() async {
        await assertCaught("unnamed_entries_stay_queued") { mutant in
            mutant.settling = { store, settlement in
                var settlement = settlement
                for entry in await store.memory.leases[settlement.lease]?.entries ?? []
                where settlement.outcomes[entry.draft.id] == nil {
                    settlement.outcomes[entry.draft.id] = .delivered(keep: false)
                }
                try await store.base.settle(settlement)
            }
        }
    }

    func testALateAcknowledgementIsIgnored() async {
        await assertCaught("late_acknowledgement_counts") { mutant in
            mutant.settling = { store, settlement in
                if await store.memory.newest?.id == settlement.lease { try await store.base.settle(settlement) }
            }
        }
    }

    func testDeliveredEntriesGoOutAgain() async {
        for check in ["no_lease_without_entries", "settles_by_id"] {
            await assertCaught(check) { mutant in
                mutant.settling = { store, settlement in
                    var settlement = settlement
                    settlement.outcomes = settlement.outcomes.filter { outcome in
                        if case .delivered = outcome.value { return false }
                        return true
                    }
                    try await store.base.settle(settlement)
                }
            }
        }
    }

    func testDeliveredEntriesAreNeverKept() async {
        await assertCaught("delivered_entries_are_kept_or_gone") { mutant in
            mutant.settling = { store, settlement in
                var settlement = settlement
                settlement.outcomes = settlement.outcomes.mapValues { outcome in
                    outcome == .delivered(keep: true) ? .delivered(keep: false) : outcome
                }
                try await store.base.settle(settlement)
            }
        }
    }

    func testDeadLettersAreThrownAway() async {
        await assertCaught("dead_letters_are_kept_and_counted") { mutant in
            mutant.settling = { store, settlement in
                var settlement = settlement
                settlement.outcomes = settlement.outcomes.mapValues { outcome in
                    if case .deadLettered = outcome { return .delivered(keep: false) }
                    return outcome
                }
                try await store.base.settle(settlement)
            }
        }
    }

    func testTheRetryStateIsForgotten() async {
        await assertCaught("stores_the_retry_state") { mutant in
            mutant.settling = { store, settlement in
                var settlement = settlement
                settlement.retry = RetryState()
                try await store.base.settle(settlement)
            }
        }
    }

    // MARK: Trimming

    func testDropsTheNewest() async {
        await assertCaught("drops_oldest_first") { mutant in
            mutant.trimming = { store, stream, retention, now in
                let report = try await store.base.trim(
                    stream,
                    to: Retention(maxQueuedAge: retention.maxQueuedAge),
                    now: now
                )
                guard let limit = retention.maxQueuedBytes else { return report }
                let entries = try await store.base.entries(stream, after: 0, limit: .max)
                var excess = entries.reduce(-limit) { $0 + Int64($1.draft.sealed.count) }
                var outcomes: [EntryID: EntryOutcome] = [:]
                for entry in entries.reversed() where excess > 0 {
                    excess -= Int64(entry.draft.sealed.count)
                    outcomes[entry.draft.id] = .delivered(keep: false)
                }
                let none = Lease.ID("none")
                try await store.base.settle(none, of: stream, outcomes: outcomes, retry: RetryState())
                if outcomes.isEmpty { return report }
                try await store.base.recordLosses([.overflow: outcomes.count], of: stream)
                return TrimReport(dropped: [.overflow: outcomes.count])
            }
        }
    }

    func testDropsAnEntryTooEarly() async {
        await assertCaught("drops_by_age") { mutant in
            mutant.trimming = { store, stream, retention, now in
                try await store.base.trim(stream, to: retention, now: now + .milliseconds(1))
            }
        }
    }

    func testDropsLeasedEntries() async {
        await assertCaught("spares_leased_entries") { mutant in
            mutant.trimming = { store, stream, retention, now in
                if let lease = await store.memory.newest {
                    try await store.base.settle(lease.id, of: stream, outcomes: [:], retry: lease.retry)
                }
                return try await store.base.trim(stream, to: retention, now: now)
            }
        }
    }

    func testTakesLeasedEntriesForDropped() async {
        await assertCaught("spares_leased_entries") { mutant in
            mutant.trimming = { store, stream, retention, now in
                var retention = retention
                let leased = await store.memory.newest?.entries.reduce(0) { $0 + Int64($1.draft.sealed.count) } ?? 0
                retention.maxQueuedBytes = retention.maxQueuedBytes.map { $0 + leased }
                return try await store.base.trim(stream, to: retention, now: now)
            }
        }
    }

    func testIgnoresTheTimeToKeepUntil() async {
        await assertCaught("spares_what_is_to_be_kept") { mutant in
            mutant.appending = { store, drafts in
                let cut = drafts.map { draft in
                    var draft = draft
                    draft.keepUntil = nil
                    return draft
                }
                return try await store.base.append(cut, durability: .processDeath)
            }
        }
    }

    func testCountsWhatWasRemovedAsLost() async {
        await assertCaught("removes_past_retention") { mutant in
            mutant.trimming = { store, stream, retention, now in
                let report = try await store.base.trim(stream, to: retention, now: now)
                try await store.base.recordLosses([.age: report.removed], of: stream)
                return report
            }
        }
    }

    func testDropsWithoutALimit() async {
        await assertCaught("no_limit_drops_nothing") { mutant in
            mutant.trimming = { store, stream, retention, now in
                var retention = retention
                retention.maxQueuedAge = retention.maxQueuedAge ?? .days(7)
                return try await store.base.trim(stream, to: retention, now: now)
            }
        }
    }

    func testForgetsTheLedger() async {
        await assertCaught("losses_add_up") { mutant in
            mutant.recording = { _, _, _ in }
        }
    }

    func testDoesNotCountTheBytes() async {
        await assertCaught("counts_are_true") { mutant in
            mutant.counting = { store, stream in
                var counts = try await store.base.statistics(stream)
                counts.liveBytes = Int64(counts.queued)
                return counts
            }
        }
    }

    func testCountsKeysOfQueuedEntriesOnly() async {
        await assertCaught("counts_are_true") { mutant in
            mutant.counting = { store, stream in
                var counts = try await store.base.statistics(stream)
                let entries = try await store.base.entries(stream, after: 0, limit: .max)
                counts.entriesByKey = [:]
                for entry in entries where entry.state == .queued {
                    counts.entriesByKey[entry.draft.keyID, default: 0] += 1
                }
                return counts
            }
        }
    }
}
