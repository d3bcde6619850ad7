import Holdfast
import HoldfastInMemory
import XCTest

final class TelemetryBackgroundTests: XCTestCase {
    func testLeavingTheForegroundStoresAndSendsWhatWaits() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open(TelemetryPolicy())
        telemetry.log("t", ["n": 1])
        let report = await telemetry.suspend(within: .seconds(20))
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testInTheBackgroundEventsAreStoredAtOnceAndNotSent() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        await telemetry.suspend()
        try await telemetry.record(1...200)
        let status = await telemetry.status()
        XCTAssertEqual(status.why, .appInBackground)
        XCTAssertEqual(status.queued, 200)
        bench.network.set(reachable: false)
        bench.network.set(reachable: true)
        await telemetry.resume()
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, Array(1...200))
    }

    func testInTheBackgroundNothingIsGatheredBeforeItIsStored() async throws {
        let bench = TelemetryBench()
        var policy = TelemetryBench.plain
        policy.commitInterval = .milliseconds(20)
        let telemetry = try await bench.open(policy)
        await telemetry.suspend()
        telemetry.log("t", ["n": 1])
        // Nobody moves the clock on.
        let stored = await telemetry.status { $0.queued == 1 }
        XCTAssertEqual(stored?.why, .appInBackground)
    }

    func testWhoComesBackKeepsTheRequestThatIsUnderWay() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record(1...3)
        bench.collector.hold()
        async let report = telemetry.suspend(within: .seconds(5))
        await bench.collector.arrivals(1)
        await telemetry.resume()
        await bench.passTime(.seconds(5))
        bench.collector.release()
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1, 2, 3])
        let ended = await report
        XCTAssertEqual(ended.delivery.delivered, 3)
    }

    func testARequestThatIsUnderWayIsCalledOffWhenTheTimeIsOver() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record(1...3)
        bench.collector.hold()
        async let report = telemetry.suspend(within: .seconds(5))
        await bench.collector.arrivals(1)
        await bench.passTime(.seconds(5))
        let ended = await report
        XCTAssertEqual(ended.status.queued, 3)
        XCTAssertEqual(ended.status.why, .appInBackground)
        XCTAssertFalse(ended.status.isSending)
        bench.collector.release()
        await telemetry.resume()
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1, 2, 3])
    }

    func testBackgroundWorkWaitsOutAShortWaitAndEndsWithTheQueue() async throws {
        let bench = TelemetryBench { number, _ in
            number == 0 ? .status(503, [HeaderField("Retry-After", "4")]) : .status(200)
        }
        let telemetry = try await bench.open()
        await telemetry.suspend()
        try await telemetry.record(1...3)
        async let report = telemetry.background(until: bench.clock.now().wall + .seconds(25))
        await bench.collector.arrivals(1)
        await bench.passTime(.seconds(4))
        let ended = await report
        XCTAssertTrue(ended.isComplete)
        XCTAssertEqual(ended.delivery.delivered, 3)
        try await telemetry.record([4])
        let status = await telemetry.status()
        XCTAssertEqual(status.why, .appInBackground, "the time that was given has ended with the work")
    }

    func testBackgroundWorkSendsWhatComesMeanwhile() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        await telemetry.suspend()
        try await telemetry.record([1])
        bench.collector.hold()
        async let report = telemetry.background(until: bench.clock.now().wall + .seconds(25))
        await bench.collector.arrivals(1)
        try await telemetry.record([2])
        bench.collector.release()
        let ended = await report
        XCTAssertTrue(ended.isComplete)
        XCTAssertEqual(bench.collector.numbers, [1, 2])
    }

    func testBackgroundWorkEndsWithItsTask() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        await telemetry.suspend()
        try await telemetry.record(1...3)
        bench.collector.hold()
        let work = Task { await telemetry.background(until: bench.clock.now().wall + .seconds(25)) }
        await bench.collector.arrivals(1)
        work.cancel()
        let report = await work.value
        XCTAssertEqual(report.status.queued, 3)
        XCTAssertFalse(report.status.isSending)
    }

    func testWhoComesBackBeforeLeavingIsDoneIsInTheForeground() async throws {
        for call in [LateJournal.Call.append, .statistics] {
            let bench = TelemetryBench()
            let journal = LateJournal(bench.journal)
            var policy = TelemetryBench.plain
            policy.commitInterval = .seconds(3600)
            let telemetry = try await bench.open(policy, journal: journal)
            telemetry.log("t", ["n": 1])
            await journal.hold(call)
            async let left = telemetry.suspend(within: .seconds(5))
            await journal.held()
            await telemetry.resume()
            await journal.release()
            _ = await left
            await telemetry.flush()
            // The time that leaving had is over, and ends nothing.
            bench.sleeper.advance(by: .seconds(6))
            try await telemetry.record([2])
            let status = await telemetry.status()
            XCTAssertEqual(status.why, .gathering, "\(call)")
        }
    }

    func testSavingPowerPausesBackgroundWorkAndAFlushOverrides() async throws {
        let bench = TelemetryBench()
        bench.power.set(PowerStatus(isLowPower: true))
        let telemetry = try await bench.open()
        await telemetry.suspend()
        try await telemetry.record(1...3)
        let report = await telemetry.background(until: bench.clock.now().wall + .seconds(25))
        XCTAssertEqual(report.status.why, .lowPower)
        XCTAssertEqual(bench.collector.batches.count, 0)
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1, 2, 3])
    }

    func testSavingPowerStretchesTheTimerInTheForeground() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        bench.power.set(PowerStatus(isUnderThermalPressure: true))
        try await telemetry.record([1])
        let status = await telemetry.status { $0.nextAttempt == bench.clock.now().wall + .minutes(5) }
        XCTAssertEqual(status?.why, .gathering)
    }
}
