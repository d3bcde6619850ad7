import Holdfast
import HoldfastInMemory
import XCTest

/// Whatever is lost is counted, and the books balance: logged = delivered + queued + lost by reason.
final class TelemetryLossTests: XCTestCase {
    func testTheOldestGoFirstAndTheLedgerAddsUp() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        var policy = TelemetryBench.plain
        policy.retention.maxQueuedBytes = 20_000
        let telemetry = try await bench.open(policy)
        telemetry.log("t", ["n": .double(.nan)])
        for number in 1...999 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        try await telemetry.record([1000])
        let full = await telemetry.status()
        XCTAssertLessThanOrEqual(full.liveBytes, 20_000)
        XCTAssertGreaterThan(full.liveBytes, 19_000)
        bench.network.set(reachable: true)
        let report = await telemetry.flush()
        let delivered = bench.collector.numbers
        XCTAssertEqual(delivered, Array((1001 - Int64(delivered.count))...1000), "the newest are left")
        XCTAssertEqual(report.status.lost, [.overflow: 1000 - delivered.count, .invalid: 1])
    }

    func testTheFirstToBeTakenIsTheOldestWhateverTheWallClockSays() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        var policy = TelemetryBench.plain
        policy.retention.maxQueuedBytes = 2000
        let telemetry = try await bench.open(policy)
        for number in 1...100 as ClosedRange<Int64> {
            bench.clock.setWall(bench.clock.now().wall - .hours(1))
            try await telemetry.record([number])
        }
        bench.network.set(reachable: true)
        await telemetry.flush()
        let delivered = bench.collector.numbers
        XCTAssertGreaterThan(delivered.count, 5)
        XCTAssertEqual(delivered, Array((101 - Int64(delivered.count))...100))
    }

    func testEventsThatAreTooOldGoAndAreCounted() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        try await telemetry.record(1...3)
        bench.clock.advance(by: .days(7))
        try await telemetry.record([4])
        let status = await telemetry.status()
        XCTAssertEqual(status.lost, [.age: 3])
        XCTAssertEqual(status.queued, 1)
    }

    func testARefusedBatchIsSetAsideAndTheRestGoesOn() async throws {
        let bench = TelemetryBench { number, _ in .status(number == 0 ? 400 : 200) }
        var policy = TelemetryBench.plain
        policy.limits.maxBatchCount = 3
        let telemetry = try await bench.open(policy)
        try await telemetry.record(1...7)
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [4, 5, 6, 7])
        XCTAssertEqual(report.status.lost, [.rejected: 3])
        XCTAssertEqual(report.delivery.deadLettered, [.rejected: 3])
        XCTAssertEqual(bench.collector.batches.count, 3, "what was refused is never sent again")
    }

    func testTheEventThatSpoilsABatchIsFoundIfTheHostWantsThat() async throws {
        let bench = TelemetryBench { _, batch in
            .status(batch.events.contains { $0["payload"]?["n"]?.integerValue == 37 } ? 422 : 200)
        }
        var policy = TelemetryBench.plain
        policy.rejection = .isolate(tries: 20)
        let telemetry = try await bench.open(policy)
        for number in 1...64 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, Array(1...36) + Array(38...64))
        XCTAssertEqual(report.status.lost, [.rejected: 1])
        XCTAssertLessThan(bench.collector.batches.count, 20)
    }

    func testAServerThatRefusesEverythingEndsTheQueueInBoundedTries() async throws {
        for rejection in [RejectionPolicy.setAside, .isolate(tries: 8)] {
            let bench = TelemetryBench { _, _ in .status(400) }
            var policy = TelemetryBench.plain
            policy.rejection = rejection
            policy.limits.maxBatchCount = 50
            let telemetry = try await bench.open(policy)
            for number in 1...500 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
            let report = await telemetry.flush()
            XCTAssertTrue(report.isComplete)
            XCTAssertEqual(report.status.lost, [.rejected: 500])
            XCTAssertLessThan(bench.collector.batches.count, 30)
        }
    }

    func testABatchThatIsTooLargeIsCutInTwo() async throws {
        let bench = TelemetryBench { _, batch in .status(batch.events.count > 10 ? 413 : 200) }
        let telemetry = try await bench.open()
        for number in 1...100 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, Array(1...100))
        XCTAssertEqual(report.status.lost, [:])
    }

    func testDeadLettersAreBounded() async throws {
        let bench = TelemetryBench { _, _ in .status(400) }
        var policy = TelemetryBench.plain
        policy.maxDeadLetters = 20
        let telemetry = try await bench.open(policy)
        for number in 1...100 as ClosedRange<Int64> {
            telemetry.log("t", ["n": .integer(number)])
            bench.clock.advance(by: .minutes(10))
            await telemetry.flush()
        }
        let status = await telemetry.status()
        XCTAssertLessThanOrEqual(status.deadLettered, 21)
        XCTAssertEqual(status.lost, [.rejected: 100])
    }

    func testTheServerIsToldOfLossesOnce() async throws {
        let bench = TelemetryBench()
        var policy = TelemetryBench.plain
        policy.reportsLosses = true
        var telemetry = try await bench.open(policy)
        telemetry.log("")
        telemetry.log("t", ["n": .double(.nan)])
        try await telemetry.record([1])
        await telemetry.flush()
        try await telemetry.record([2])
        await telemetry.flush()
        await telemetry.close()
        telemetry = try await bench.open(policy)
        telemetry.log("")
        try await telemetry.record([3])
        await telemetry.flush()
        let reports = bench.collector.received.filter { $0["type"]?.stringValue == "holdfast.losses" }
        XCTAssertEqual(reports.compactMap { $0["payload"] }, [["invalid": 2], ["invalid": 1]])
        XCTAssertEqual(bench.collector.numbers, [1, 2, 3])
    }

    func testTheServerIsToldNoMoreOftenThanEveryQuarterOfAnHour() async throws {
        let bench = TelemetryBench()
        var policy = TelemetryBench.plain
        policy.reportsLosses = true
        let telemetry = try await bench.open(policy)
        for minutes in [Int64(0), 14, 1] {
            bench.clock.advance(by: .minutes(minutes))
            telemetry.log("")
            try await telemetry.record([minutes])
            await telemetry.flush()
        }
        let reports = bench.collector.received.filter { $0["type"]?.stringValue == "holdfast.losses" }
        XCTAssertEqual(reports.compactMap { $0["payload"] }, [["invalid": 1], ["invalid": 2]])
    }

    func testAReportThatIsRefusedItselfDoesNotGoOnForEver() async throws {
        let bench = TelemetryBench { _, _ in .status(400) }
        var policy = TelemetryBench.plain
        policy.reportsLosses = true
        let telemetry = try await bench.open(policy)
        for number in 1...20 as ClosedRange<Int64> {
            try await telemetry.record([number])
            await telemetry.flush()
        }
        XCTAssertLessThan(bench.collector.batches.count, 24)
    }
}
