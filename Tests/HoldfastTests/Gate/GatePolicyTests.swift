import Holdfast
import HoldfastInMemory
import XCTest

/// Each choice of a policy that other tests take as it is does what it says.
final class GatePolicyTests: XCTestCase {
    func testTheDefaultsAreThoseThatAreWrittenDown() {
        let policy = GatePolicy()
        XCTAssertEqual(policy.presence, .seconds(3))
        XCTAssertEqual(policy.durability, .powerLoss)
        XCTAssertEqual(policy.onSuspectClock, .flag)
        XCTAssertEqual(policy.clockTolerance, .seconds(10))
        XCTAssertTrue(policy.watchesClockDrift)
        XCTAssertNil(policy.maxConfigurationAge)
        XCTAssertEqual(policy.onRecordFailure, .refuse)
        XCTAssertNil(policy.configurationKey)
        XCTAssertEqual(policy.keepDeliveredFor, .days(30))
        XCTAssertEqual(policy.keepRejectedFor, .days(90))
        XCTAssertEqual(policy.maxBatchCount, 100)
        XCTAssertEqual(policy.maxBatchBytes, 262_144)
        XCTAssertEqual(policy.rejectionTries, 64)
    }

    func testHandedOverAndRefusedRecordsAreKeptForTheirTime() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate {
            $0.keepDeliveredFor = .days(2)
            $0.keepRejectedFor = .days(4)
        }
        for text in ["one", "two", "three"] { _ = await gate.admit(text) }
        let sender = ScriptedBatchSender([
            .reply { .handled([$0[0].scanID: .rejected(reason: "no"), $0[2].scanID: .retryLater]) }
        ])
        await gate.sync(via: sender)
        var left: [[String]] = []
        for wait in [Interval.days(2) - .milliseconds(1), .milliseconds(1), .days(2), .days(3650)] {
            bench.clock.advance(by: wait)
            try await gate.keepHouse()
            left.append(try await gate.records().map(\.state.name))
        }
        XCTAssertEqual(left, [["rejected", "delivered", "queued"], ["rejected", "queued"], ["queued"], ["queued"]])
    }

    func testNoRecordThatIsQueuedIsDroppedForItsAgeOrForWantOfRoom() async throws {
        let bench = GateBench()
        let journal = NotingTrims(base: bench.journal)
        var ports = bench.ports
        ports.journal = journal
        let gate = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), ports: ports)
        try await gate.keepHouse()
        let retention = await journal.asked
        XCTAssertEqual(retention, [Retention(deliveredFor: .days(30), deadLetteredFor: .days(90))])
    }

    func testABatchHasNoMoreBytesThanItMay() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.maxBatchBytes = 2000 }
        for index in 0..<10 { _ = await gate.admit(try bench.ticket("T-\(index)")) }
        let sender = ScriptedBatchSender()
        await gate.sync(via: sender)
        XCTAssertEqual(sender.batches.flatMap { $0 }.map(\.sequence), Array(1...10))
        for batch in sender.batches {
            XCTAssertLessThanOrEqual(batch.reduce(0) { $0 + $1.json.count }, 2000)
        }
    }

    func testABackEndThatRefusesEverythingHoldsTheQueueAfterSoManyTries() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.rejectionTries = 5 }
        for index in 0..<100 { _ = await gate.admit(try bench.ticket("T-\(index)")) }
        let sender = ScriptedBatchSender(afterwards: .answer(.rejected(reason: "wrong address")))
        let report = await gate.sync(via: sender)
        XCTAssertEqual(report.obstacle, .refused)
        XCTAssertEqual(report.setAside, [:])
        XCTAssertEqual(sender.batches.map(\.count), [100, 50, 25, 12, 6, 3])
        let status = try await gate.status()
        XCTAssertEqual(status.queued, 100)
    }
}

/// Notes what each trim of gate records is to keep.
private actor NotingTrims: JournalWrapper {
    let base: any Journal
    private(set) var asked: [Retention] = []

    init(base: any Journal) { self.base = base }

    func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport {
        if stream == .gate { asked.append(retention) }
        return try await base.trim(stream, to: retention, now: now)
    }
}
