import Holdfast
import HoldfastInMemory
import XCTest

final class TelemetryTests: XCTestCase {
    func testWhatIsLoggedArrivesInOrderAsItWasSaid() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        let session = telemetry.sessionID
        guard case .taken(let id) = telemetry.log("screen.view", ["n": 1, "name": "orders"]) else {
            return XCTFail("refused")
        }
        telemetry.log("screen.view", ["n": 2])
        try await telemetry.record([3])
        let report = await telemetry.flush()
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(report.delivery.delivered, 3)
        XCTAssertEqual(bench.collector.numbers, [1, 2, 3])
        let first = try XCTUnwrap(bench.collector.received.first)
        XCTAssertEqual(first["id"]?.stringValue, id.description)
        XCTAssertEqual(first["id"]?.stringValue, id.description.lowercased())
        XCTAssertEqual(first["ts"]?.stringValue, "2026-05-01T12:00:00.000Z")
        XCTAssertEqual(first["sessionId"]?.stringValue, session)
        XCTAssertEqual(bench.collector.batches.first?.authorization, "Bearer one")
    }

    func testWhatIsLoggedIsStoredWithinFiftyMilliseconds() async throws {
        let bench = TelemetryBench()
        let interval = TelemetryPolicy().commitInterval
        XCTAssertLessThanOrEqual(interval, .milliseconds(50))
        var policy = TelemetryBench.plain
        policy.commitInterval = interval
        let telemetry = try await bench.open(policy)
        for number in 1...10 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        await bench.passTime(interval)
        _ = await telemetry.status { $0.queued == 10 }
        let stored = try await bench.journal.statistics(.telemetry).queued
        XCTAssertEqual(stored, 10)
    }

    func testWithoutTokensRequestsCarryNoneAndARefusalHoldsTheQueue() async throws {
        for (answer, why) in [(200, nil), (401, DeliveryObstacle.unauthorised)] {
            let transport = ScriptedTransport([.status(answer)])
            let telemetry = try await Telemetry(
                endpoint: "https://collector.example/",
                ports: .inMemory(transport: transport)
            )
            try await telemetry.record("t")
            let report = await telemetry.flush()
            XCTAssertEqual(report.status.why, why)
            XCTAssertEqual(transport.requests.count, 1)
            XCTAssertEqual(transport.requests[0].headers.filter { $0.name == "Authorization" }, [])
            await telemetry.close()
        }
    }

    func testWhatWasRecordedSurvivesARestart() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        try await bench.open().record(1...5)
        bench.network.set(reachable: true)
        let telemetry = try await bench.open()
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1, 2, 3, 4, 5])
    }

    func testALostAnswerMeansTheSameIdsAgain() async throws {
        let bench = TelemetryBench { number, _ in number == 0 ? .lostAfterwards(.connectionFailed) : .status(200) }
        var telemetry = try await bench.open()
        try await telemetry.record(1...3)
        let failed = await telemetry.flush()
        XCTAssertEqual(failed.status.queued, 3)
        telemetry = try await bench.open()
        await telemetry.flush()
        let ids = bench.collector.received.compactMap { $0["id"]?.stringValue }
        XCTAssertEqual(ids.count, 6)
        XCTAssertEqual(Array(ids.prefix(3)), Array(ids.suffix(3)))
    }

    func testEveryRequestKeepsTheLimits() async throws {
        let bench = TelemetryBench()
        var policy = TelemetryBench.plain
        policy.limits.maxBatchCount = 25
        policy.limits.maxBodyBytes = 10_000
        let telemetry = try await bench.open(policy)
        for number in 1...250 as ClosedRange<Int64> {
            telemetry.log(
                "t",
                ["n": .integer(number), "text": .string(String(repeating: "\"", count: number % 2 == 0 ? 150 : 10))]
            )
        }
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, Array(1...250))
        XCTAssertTrue(bench.collector.batches.allSatisfy { $0.events.count <= 25 && $0.bodyBytes <= 10_000 })
        XCTAssertEqual(bench.collector.batches.map(\.events.count).max(), 25)
    }

    func testManyFlushesAtOnceSendEachEventOnceAndOneRequestAtATime() async throws {
        let bench = TelemetryBench()
        var policy = TelemetryBench.plain
        policy.limits.maxBatchCount = 7
        let telemetry = try await bench.open(policy)
        for number in 1...100 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await telemetry.flush()
                    await telemetry.flush()
                }
            }
        }
        XCTAssertEqual(bench.collector.numbers, Array(1...100))
        XCTAssertEqual(bench.collector.mostInFlight, 1)
    }

    func testOrderIsThatOfTakingWhateverTheWallClockSays() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        bench.clock.setWall(bench.clock.now().wall - .hours(1))
        try await telemetry.record([2])
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1, 2])
        let times = bench.collector.received.compactMap { $0["ts"]?.stringValue }
        XCTAssertEqual(times, ["2026-05-01T12:00:00.000Z", "2026-05-01T11:00:00.000Z"])
    }

    func testEventsBelongToTheSessionInWhichTheyWereLogged() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try telemetry.startSession("first")
        telemetry.log("t", ["n": 1])
        let second = try telemetry.startSession()
        telemetry.log("t", ["n": 2])
        XCTAssertThrowsError(try telemetry.startSession("")) {
            XCTAssertEqual(($0 as? TelemetryError)?.code, .invalidSession)
        }
        await telemetry.flush()
        XCTAssertEqual(bench.collector.received.compactMap { $0["sessionId"]?.stringValue }, ["first", second])
    }

    func testWhatCannotBeSentIsRefusedAtTheCallAndCounted() async throws {
        let bench = TelemetryBench()
        var telemetry = try await bench.open()
        func code(_ outcome: LogOutcome) -> TelemetryError.Code? {
            guard case .refused(let error) = outcome else { return nil }
            return error.code
        }
        XCTAssertEqual(code(telemetry.log("t", ["v": .double(.nan)])), .nonFiniteNumber)
        XCTAssertEqual(code(telemetry.log("", [:])), .emptyType)
        XCTAssertEqual(code(telemetry.log("t", encoding: ["v": Double.infinity])), .nonFiniteNumber)
        XCTAssertEqual(code(telemetry.log("t", encoding: [1])), .notAnObject)
        let huge = PayloadValue.string(String(repeating: "x", count: 262_144))
        XCTAssertEqual(code(telemetry.log("t", ["v": huge])), .tooLarge)
        do {
            try await telemetry.record("t", ["v": huge])
            XCTFail("taken")
        } catch {
            XCTAssertEqual((error as? TelemetryError)?.code, .tooLarge)
        }
        try await telemetry.record("t", encoding: ["n": 1])
        await telemetry.close()
        telemetry = try await bench.open()
        let report = await telemetry.flush()
        XCTAssertEqual(report.status.lost, [.invalid: 4, .oversize: 2])
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testClosingStoresWhatIsInMemoryAndRefusesWhatComesAfter() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open(TelemetryPolicy())
        for number in 1...1000 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        await telemetry.close()
        XCTAssertEqual(telemetry.log("t"), .refused(TelemetryError(.closed)))
        let queued = try await bench.journal.statistics(.telemetry).queued
        XCTAssertEqual(queued, 1000)
    }
}
