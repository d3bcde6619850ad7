import HoldfastDomain
import HoldfastInMemory
import XCTest

final class CourierTests: XCTestCase {
    private let rig = JournalRig()

    func testDeliversInOrderByCountAndThenIsIdle() async throws {
        let ids = try await rig.append(count: 250)
        let delivery = ScriptedDelivery()
        let (report, end) = await rig.courier(delivery).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 250))
        XCTAssertEqual(end, .idle)
        XCTAssertEqual(delivery.batches.map(\.count), [100, 100, 50])
        XCTAssertEqual(delivery.batches.flatMap { $0 }, ids)
        let left = try await rig.entries()
        XCTAssertTrue(left.isEmpty)
    }

    func testBatchesAreCutByTheBytesOfTheBody() async throws {
        try await rig.append(["aaaa", "bbbb", "cccc", "too large for any body", "d"])
        let delivery = ScriptedDelivery()
        let (report, _) = await rig.courier(delivery, CourierPolicy(maxBodyBytes: 11)).drain()
        XCTAssertEqual(delivery.payloads, [["aaaa", "bbbb"], ["cccc", "d"]])
        XCTAssertEqual(report, DeliveryReport(delivered: 4, deadLettered: [.oversize: 1]))
    }

    func testDeliveredEntriesAreKeptWhereTheyAreToBe() async throws {
        let ids = try await rig.append(count: 2)
        _ = await rig.courier(ScriptedDelivery(), CourierPolicy(keepsDelivered: true)).drain()
        let states = try await rig.states()
        XCTAssertEqual(states, [ids[0]: .delivered, ids[1]: .delivered])
    }

    /// S34
    func testARowThatDoesNotOpenIsSetAsideAndEachOtherArrivesOnce() async throws {
        let ids = try await rig.append(["A", "B", "C", "D"])
        try await rig.damage(ids[0])
        let delivery = ScriptedDelivery()
        let (report, end) = await rig.courier(delivery, CourierPolicy(maxCount: 2)).drain()
        XCTAssertEqual(delivery.batches.flatMap { $0 }, Array(ids.dropFirst()))
        XCTAssertEqual(report, DeliveryReport(delivered: 3, deadLettered: [.undecryptable: 1]))
        XCTAssertEqual(end, .idle)
        let states = try await rig.states()
        XCTAssertEqual(states, [ids[0]: .deadLettered(.undecryptable, note: nil)])
        XCTAssertEqual(rig.diagnostics.count(of: .entryUndecryptable), 1)
        let statistics = try await rig.store.statistics(rig.stream)
        XCTAssertEqual(statistics.losses, [.undecryptable: 1])
    }

    /// S31
    func testRowsUnderTwoKeysArriveInOrderAndAnOldKeyGoesWhenNoRowNeedsIt() async throws {
        let first = try await rig.append(["1", "2", "3"])
        _ = try await rig.ring().rotate()
        let second = try await rig.append(["4", "5", "6"])
        let before = try await rig.store.statistics(rig.stream).entriesByKey
        XCTAssertEqual(before, [KeyID(1): 3, KeyID(2): 3])
        let kept = try await rig.ring().retire(in: rig.store)
        XCTAssertEqual(kept, [])
        let delivery = ScriptedDelivery()
        _ = await rig.courier(delivery).drain()
        XCTAssertEqual(delivery.batches, [first + second])
        let gone = try await rig.ring().retire(in: rig.store)
        XCTAssertEqual(gone, [KeyID(1)])
    }

    /// S33
    func testALockedVaultHoldsEverythingAndLosesNothing() async throws {
        let ids = try await rig.append(count: 3)
        rig.keys.lock()
        let delivery = ScriptedDelivery()
        let courier = rig.courier(delivery)
        for _ in 0..<3 {
            let step = await courier.step()
            XCTAssertEqual(step, .held(.vaultUnavailable))
        }
        XCTAssertTrue(delivery.batches.isEmpty)
        XCTAssertGreaterThan(rig.diagnostics.count(of: .vaultUnavailable), 0)
        rig.keys.unlock()
        let step = await courier.step()
        XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 3)))
        XCTAssertEqual(delivery.batches, [ids])
    }

    func testADamagedKeySetsItsOwnRowsAsideOnly() async throws {
        try await rig.append(["1", "2"])
        _ = try await rig.ring().rotate()
        let good = try await rig.append(["3"])
        rig.keys.damage("telemetry.key.1")
        let delivery = ScriptedDelivery()
        let step = await rig.courier(delivery).step()
        XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 1, deadLettered: [.undecryptable: 2])))
        XCTAssertEqual(delivery.batches, [good])
    }

    func testACipherThatFailsNowIsTriedAgainLater() async throws {
        var rig = rig
        try await rig.append(count: 2)
        rig.cipher = FailingCipher()
        let delivery = ScriptedDelivery()
        let (report, end) = await rig.courier(delivery).drain()
        XCTAssertEqual(report, DeliveryReport(retried: 2))
        XCTAssertEqual(end, .waiting(for: .seconds(30), .deferred))
        rig.clock.advance(by: .seconds(30))
        rig.cipher = ToyCipher()
        let step = await rig.courier(delivery).step()
        XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 2)))
    }

    func testOneRecordsLaterDoesNotHoldUpTheOthers() async throws {
        let ids = try await rig.append(count: 4)
        let late = ids[0]
        let delivery = ScriptedDelivery([
            { batch in
                let pairs = batch.map { ($0.id, $0.id == late ? DeliveryOutcome.retry : .duplicate) }
                return DeliveryResult(.proceed, outcomes: Dictionary(pairs) { first, _ in first })
            }
        ])
        let courier = rig.courier(delivery, CourierPolicy(maxCount: 2))
        let (report, end) = await courier.drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 3, duplicates: 1, retried: 1))
        XCTAssertEqual(end, .waiting(for: .seconds(30), .deferred))
        rig.clock.setWall(rig.clock.now().wall - .days(365))
        rig.clock.advance(by: .seconds(30))
        let last = await courier.drain()
        XCTAssertEqual(last.report.delivered, 1, "a clock that was set back strands nothing")
    }

    func testKeysErasedElsewhereOpenNothingASecondLater() async throws {
        try await rig.append(count: 2)
        let delivery = ScriptedDelivery()
        let courier = rig.courier(delivery, CourierPolicy(maxCount: 1))
        _ = await courier.step()
        try await rig.ring().destroy(in: rig.store)
        rig.clock.advance(by: .seconds(1))
        let (report, _) = await courier.drain()
        XCTAssertEqual(report, DeliveryReport(deadLettered: [.undecryptable: 1]))
        XCTAssertEqual(delivery.payloads, [["payload 0"]])
    }

    func testALeaseElsewhereIsWaitedFor() async throws {
        try await rig.append(count: 1)
        let now = rig.clock.now().wall
        let request = LeaseRequest(stream: rig.stream, maxCount: 1, now: now, duration: .minutes(1))
        _ = try await rig.store.lease(request)
        let courier = rig.courier(ScriptedDelivery())
        let step = await courier.step()
        XCTAssertEqual(step, .waiting(for: .seconds(30), .leasedElsewhere))
        rig.clock.advance(by: .minutes(1))
        let later = await courier.step()
        XCTAssertEqual(later, .delivered(DeliveryReport(delivered: 1)))
    }

    func testWhatTheServerSaidIsKeptSealedWithADeadLetter() async throws {
        let ids = try await rig.append(count: 1)
        let delivery = ScriptedDelivery([
            { batch in
                let rejected = DeliveryOutcome.deadLettered(.rejected, note: Array("was cancelled".utf8))
                return DeliveryResult(.proceed, outcomes: [batch[0].id: rejected])
            }
        ])
        _ = await rig.courier(delivery).drain()
        let entries = try await rig.entries()
        let entry = try XCTUnwrap(entries.first)
        XCTAssertEqual(entry.draft.id, ids[0])
        let note = try await rig.sealer().openNote(of: entry)
        XCTAssertEqual(note, Array("was cancelled".utf8))
        guard case .deadLettered(.rejected, let stored?) = entry.state else { return XCTFail("\(entry.state)") }
        XCTAssertFalse(String(decoding: stored, as: UTF8.self).contains("cancelled"))
    }

    func testAHoldKeepsEverythingAndEndsByItself() async throws {
        let ids = try await rig.append(count: 3)
        let delivery = ScriptedDelivery(.hold(.unauthorised), .hold(.unauthorised))
        let courier = rig.courier(delivery)
        for _ in 0..<2 {
            let step = await courier.step()
            XCTAssertEqual(step, .held(.unauthorised))
            let queued = try await rig.store.statistics(rig.stream).queued
            XCTAssertEqual(queued, 3)
        }
        _ = await courier.drain()
        XCTAssertEqual(delivery.batches, [ids, ids, ids])
    }

    /// A delivery that says "proceed" but settles nothing must not be asked again at once for ever.
    func testProgressWithoutProgressBacksOff() async throws {
        try await rig.append(count: 1)
        let delivery = ScriptedDelivery(afterwards: { _ in DeliveryResult(.proceed) })
        let step = await rig.courier(delivery).step()
        guard case .waiting(_, .backoff) = step else { return XCTFail("\(step)") }
    }

    func testOutcomesOfEntriesThatWereNotSentAreIgnored() async throws {
        let ids = try await rig.append(count: 2)
        let delivery = ScriptedDelivery([
            { _ in DeliveryResult(.proceed, outcomes: [ids[0]: .delivered, ids[1]: .delivered]) }
        ])
        let step = await rig.courier(delivery, CourierPolicy(maxCount: 1)).step()
        XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 1)))
        let left = try await rig.entries()
        XCTAssertEqual(left.map(\.draft.id), [ids[1]])
    }
}
