import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Batches that are refused for good, and batches that are too large.
final class CourierRejectionTests: XCTestCase {
    private let rig = JournalRig()

    private func refusing(_ bad: Set<EntryID>, _ verdict: DeliveryVerdict) -> ScriptedDelivery {
        ScriptedDelivery(afterwards: { batch in
            batch.contains { bad.contains($0.id) } ? DeliveryResult(verdict) : .delivered(batch)
        })
    }

    /// S35
    func testTheEntryThatCausesARefusalIsFoundAndOnlyThatOneIsSetAside() async throws {
        let ids = try await rig.append(count: 100)
        let bad: Set = [ids[0], ids[41], ids[99]]
        let delivery = refusing(bad, .rejected(note: Array("400".utf8)))
        let policy = CourierPolicy(rejection: .isolate(tries: 16))
        let (report, end) = await rig.courier(delivery, policy).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 97, deadLettered: [.rejected: 3]))
        XCTAssertEqual(end, .idle)
        XCTAssertLessThan(delivery.batches.count, 50)
        let left = try await rig.states()
        XCTAssertEqual(Set(left.keys), bad)
        let entries = try await rig.entries()
        for entry in entries {
            let note = try await rig.sealer().openNote(of: entry)
            XCTAssertEqual(note, Array("400".utf8))
        }
    }

    /// S35
    func testAServerThatRefusesEverythingIsAskedABoundedNumberOfTimes() async throws {
        let ids = try await rig.append(count: 1000)
        let delivery = refusing(Set(ids), .rejected(note: nil))
        let policy = CourierPolicy(rejection: .isolate(tries: 16))
        let (report, end) = await rig.courier(delivery, policy).drain()
        XCTAssertEqual(report, DeliveryReport(deadLettered: [.rejected: 1000]))
        XCTAssertEqual(end, .idle)
        XCTAssertLessThan(delivery.batches.count, 30)
    }

    func testWithoutASearchTheBatchIsSetAsideWhole() async throws {
        let ids = try await rig.append(count: 150)
        let delivery = refusing([ids[3]], .rejected(note: nil))
        let (report, _) = await rig.courier(delivery).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 50, deadLettered: [.rejected: 100]))
        XCTAssertEqual(delivery.batches.count, 2)
    }

    func testOrAServerThatRefusesEverythingHoldsAndLosesAlmostNothing() async throws {
        let ids = try await rig.append(count: 1000)
        let delivery = refusing(Set(ids), .rejected(note: nil))
        let courier = rig.courier(delivery, CourierPolicy(rejection: .isolateOrHold(tries: 8)))
        let (report, end) = await courier.drain()
        XCTAssertEqual(end, .held(.refused))
        XCTAssertLessThanOrEqual(report.deadLettered[.rejected, default: 0], 2)
        XCTAssertLessThan(delivery.batches.count, 12)
    }

    /// Bad entries, however many, never keep the others: each look at a hold takes some away.
    func testManyBadEntriesInARowNeverBlockTheOthersForGood() async throws {
        let ids = try await rig.append(count: 60)
        let bad = Set(ids[10..<50])
        let delivery = refusing(bad, .rejected(note: nil))
        let courier = rig.courier(delivery, CourierPolicy(rejection: .isolateOrHold(tries: 8)))
        var end = CourierStep.held(.refused)
        var looks = 0
        while end != .idle, looks < 100 {
            end = await courier.drain().end
            looks += 1
        }
        XCTAssertEqual(end, .idle)
        let left = try await rig.states()
        XCTAssertEqual(Set(left.keys), bad)
    }

    func testABatchThatIsTooLargeIsHalvedUntilItFits() async throws {
        let ids = try await rig.append(count: 100)
        let delivery = ScriptedDelivery(afterwards: { batch in
            batch.count > 30 ? DeliveryResult(.split) : .delivered(batch)
        })
        let (report, end) = await rig.courier(delivery).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 100))
        XCTAssertEqual(end, .idle)
        XCTAssertEqual(delivery.batches.map(\.count), [100, 50, 25, 25, 25, 25])
        XCTAssertEqual(delivery.batches.dropFirst(2).flatMap { $0 }, ids)
    }

    func testOneEntryThatIsTooLargeAloneIsSetAside() async throws {
        let ids = try await rig.append(count: 8)
        let delivery = refusing([ids[2]], .split)
        let (report, end) = await rig.courier(delivery).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 7, deadLettered: [.rejected: 1]))
        XCTAssertEqual(end, .idle)
    }

    func testAServerToWhichEverythingIsTooLargeIsOneThatRefusesEverything() async throws {
        let ids = try await rig.append(count: 1000)
        let delivery = refusing(Set(ids), .split)
        let courier = rig.courier(delivery, CourierPolicy(rejection: .isolateOrHold(tries: 8)))
        let (report, end) = await courier.drain()
        XCTAssertEqual(end, .held(.refused))
        XCTAssertEqual(report, DeliveryReport(deadLettered: [.rejected: 8]))
    }

    func testAnEntryThatCannotBeSentAtAllIsSetAside() async throws {
        try await rig.append(["!poison", "good"])
        let (report, _) = await rig.courier(ScriptedDelivery()).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 1, deadLettered: [.invalid: 1]))
        try await rig.append(["!poison"])
        let (alone, end) = await rig.courier(ScriptedDelivery()).drain()
        XCTAssertEqual(alone, DeliveryReport(deadLettered: [.invalid: 1]))
        XCTAssertEqual(end, .idle)
    }
}
