import HoldfastInMemory
import XCTest

@testable import Holdfast

final class DeliveryDriverTests: XCTestCase {
    func testOfflineEventsAreDeliveredAtOnceWhenTheNetworkReturns() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        try await telemetry.record(1...20)
        let offline = await telemetry.status { $0.queued == 20 }
        XCTAssertEqual(offline?.why, .offline)
        XCTAssertNil(offline?.nextAttempt)
        bench.network.set(reachable: true)
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, Array(1...20))
    }

    func testTheTimerSendsWhatWasGathered() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        let waiting = await telemetry.status { $0.queued == 1 }
        XCTAssertEqual(waiting?.why, .gathering)
        XCTAssertEqual(waiting?.nextAttempt, bench.clock.now().wall + .seconds(60))
        XCTAssertEqual(bench.collector.batches.count, 0)
        await bench.passTime(.seconds(60))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testWhatComesAfterABatchIsGatheredAnew() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        await bench.passTime(.seconds(60))
        _ = await telemetry.status { $0.queued == 0 && !$0.isSending }
        try await telemetry.record([2])
        let waiting = await telemetry.status { $0.queued == 1 || !$0.isSending }
        XCTAssertEqual(waiting?.why, .gathering)
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testAnEventThatIsStoredWhileTheQueueIsCountedIsSentByTheTimer() async throws {
        let bench = TelemetryBench()
        let journal = LateJournal(bench.journal)
        let telemetry = try await bench.open(journal: journal)
        try await telemetry.record([1])
        await telemetry.flush()
        await journal.hold(.statistics)
        async let counted = telemetry.status()
        await journal.held()
        async let recorded: Void = telemetry.record([2])
        // As far as it comes while the count is under way.
        for _ in 0..<500 { await Task.yield() }
        await journal.release()
        _ = try await (counted, recorded)
        let status = await telemetry.status { _ in true }
        XCTAssertEqual(status?.queued, 1)
        XCTAssertEqual(status?.why, .gathering)
    }

    func testNothingIsSentUntilTheLastOfTwoErasuresHasEnded() async throws {
        let bench = TelemetryBench()
        var policy = TelemetryBench.plain
        policy.schedule.thresholdCount = 1
        let telemetry = try await bench.open(policy)
        await telemetry.driver.halt()
        await telemetry.driver.halt()
        try await telemetry.record([1])
        await telemetry.driver.resume()
        // As far as it comes while the other is under way.
        for _ in 0..<20_000 { await Task.yield() }
        XCTAssertEqual(bench.collector.batches.count, 0)
        await telemetry.driver.resume()
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testAThresholdSendsBeforeTheTimer() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record(1...100)
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, Array(1...100))
    }

    func testAnOrderedWaitIsKeptThroughEventsReconnectsFlushesAndARestart() async throws {
        let bench = TelemetryBench { number, _ in
            number == 0 ? .status(429, [HeaderField("Retry-After", "60")]) : .status(200)
        }
        bench.network.set(reachable: false)
        var telemetry = try await bench.open()
        try await telemetry.record(1...500)
        bench.network.set(reachable: true)
        _ = await telemetry.status { $0.why == .serverWait }
        XCTAssertEqual(bench.collector.batches.count, 1)
        try await telemetry.record(501...600)
        bench.network.set(reachable: false)
        bench.network.set(reachable: true)
        await telemetry.suspend()
        await telemetry.resume()
        bench.clock.advance(by: .milliseconds(59_999))
        let early = await telemetry.flush()
        XCTAssertEqual(early.status.why, .serverWait)
        XCTAssertEqual(early.status.nextAttempt, bench.clock.now().wall + .milliseconds(1))
        await telemetry.close()
        telemetry = try await bench.open()
        let restarted = await telemetry.flush()
        XCTAssertEqual(restarted.status.why, .serverWait)
        XCTAssertEqual(restarted.status.queued, 600)
        XCTAssertEqual(bench.collector.batches.count, 1, "one request in 60 s")
        await bench.passTime(.milliseconds(1))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, Array(1...600))
    }

    func testAfterARestartItSaysWhatIsWaitedForBeforeItTries() async throws {
        for (fields, why) in [
            ([HeaderField("Retry-After", "60")], DeliveryObstacle.serverWait), ([], .backoff),
        ] {
            let bench = TelemetryBench { _, _ in .status(429, fields) }
            var telemetry = try await bench.open()
            try await telemetry.record([1])
            let failed = await telemetry.flush()
            await telemetry.close()
            telemetry = try await bench.open()
            let status = await telemetry.status()
            XCTAssertEqual(status.why, why)
            XCTAssertEqual(status.nextAttempt, failed.status.nextAttempt)
            await telemetry.close()
        }
    }

    func testAFlushTriesAgainAtOnceAndAFailureStartsTheCountAnew() async throws {
        let bench = TelemetryBench { number, _ in number < 6 ? .lost(.timedOut) : .status(200) }
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        for failure in 1...6 {
            let report = await telemetry.flush()
            XCTAssertEqual(report.status.why, .backoff, "\(failure)")
            XCTAssertEqual(report.status.failures, 1, "each flush starts anew")
        }
        let report = await telemetry.flush()
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(bench.collector.batches.count, 7)
    }

    func testAFailureIsRetriedByItselfAfterItsWait() async throws {
        let bench = TelemetryBench { number, _ in number < 3 ? .status(503) : .status(200) }
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        await telemetry.flush()
        for attempt in 1...3 {
            let status = await telemetry.status { $0.why == .backoff && $0.failures == attempt }
            let next = try XCTUnwrap(status?.nextAttempt)
            let wait = next - bench.clock.now().wall
            XCTAssertLessThanOrEqual(wait, .seconds(2 << Int64(attempt - 1)))
            if wait > .zero { await bench.passTime(wait) }
        }
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.batches.count, 4)
    }

    func testTenBatchesWithAnExpiredTokenCostOneRefusedRequest() async throws {
        let bench = TelemetryBench { _, batch in .status(batch.authorization == "Bearer two" ? 200 : 401) }
        var policy = TelemetryBench.plain
        policy.limits.maxBatchCount = 5
        let telemetry = try await bench.open(policy)
        for number in 1...50 as ClosedRange<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        let report = await telemetry.flush()
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(bench.collector.batches.filter { $0.authorization == "Bearer one" }.count, 1)
        XCTAssertEqual(bench.collector.batches.count, 11)
        XCTAssertEqual(bench.collector.numbers, Array(1...50))
    }

    func testRefusedTokensHoldEverythingUntilTheHostHasAnother() async throws {
        let bench = TelemetryBench { _, batch in .status(batch.authorization == "Bearer three" ? 200 : 403) }
        let telemetry = try await bench.open()
        try await telemetry.record(1...30)
        let held = await telemetry.flush()
        XCTAssertEqual(held.status.why, .unauthorised)
        XCTAssertNotNil(held.status.nextAttempt, "when it is looked at again")
        for _ in 0..<12 {
            await bench.passTime(.minutes(5))
            await bench.sleeper.sleeper(due: bench.clock.now().uptime + .minutes(5))
        }
        XCTAssertEqual(bench.collector.batches.count, 2, "an hour without a request")
        bench.tokens.setToken("three")
        await telemetry.accessTokenChanged()
        await bench.passTime(.seconds(2))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, Array(1...30))
    }

    func testARedirectHoldsAndIsLookedAtAgain() async throws {
        let bench = TelemetryBench { number, _ in .status(number == 0 ? 302 : 200) }
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        let held = await telemetry.flush()
        XCTAssertEqual(held.status.why, .redirected)
        await bench.passTime(.minutes(5))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testATransportThatNeverAnswersIsGivenUpAndTheSlotIsFree() async throws {
        let bench = TelemetryBench()
        let deaf = DeafTransport(behind: bench.collector)
        let telemetry = try await bench.open(transport: deaf)
        try await telemetry.record([1])
        async let report = telemetry.flush()
        await bench.sleeper.sleeper(due: bench.clock.now().uptime + .seconds(35))
        XCTAssertEqual(deaf.attempts, 1, "at most one in flight")
        bench.sleeper.advance(by: .seconds(35))
        let failed = await report
        XCTAssertEqual(failed.status.why, .backoff)
        let second = await telemetry.flush()
        XCTAssertTrue(second.isComplete)
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testARequestThatTakesTooLongIsCalledOff() async throws {
        let bench = TelemetryBench()
        let isCalledOff = expectation(description: "the request is called off")
        let telemetry = try await bench.open(transport: PatientTransport(isCalledOff: isCalledOff))
        try await telemetry.record([1])
        async let report = telemetry.flush()
        await bench.passTime(.seconds(35))
        let failed = await report
        XCTAssertEqual(failed.status.why, .backoff)
        await fulfillment(of: [isCalledOff], timeout: 60)
    }

    func testAHostThatNeverGivesATokenHoldsNothingForEver() async throws {
        let bench = TelemetryBench()
        bench.tokens.fail(with: TransportError(.offline))
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        let report = await telemetry.flush()
        XCTAssertEqual(report.status.why, .tokenUnavailable)
        bench.tokens.setToken("one")
        await bench.passTime(.minutes(5))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testAHostThatNeverAnswersForATokenIsGivenUpAndAskedAgain() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open(token: DeafTokens())
        try await telemetry.record([1])
        async let report = telemetry.flush()
        await bench.passTime(.seconds(30))
        let held = await report
        XCTAssertEqual(held.status.why, .tokenUnavailable)
        XCTAssertEqual(bench.collector.batches.count, 0)
        await bench.passTime(.minutes(5))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testStatusUpdatesTellWhatHappensAndEndWithClose() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        let updates = telemetry.statusUpdates
        try await telemetry.record([1])
        var seen: TelemetryStatus?
        for await status in updates {
            seen = status
            if status.queued == 1 { break }
        }
        XCTAssertEqual(seen?.why, .offline)
        let later = telemetry.statusUpdates
        await telemetry.close()
        for await _ in later {}
        for await _ in telemetry.statusUpdates { XCTFail("nothing changes any more") }
    }
}

/// Never answers the first time it is asked, not even when it is cancelled.
private final class DeafTokens: AccessTokenProvider {
    private let counter = Counter()

    func token(refused: AccessToken?) async -> AccessToken? {
        if counter.increment() == 1 {
            await withCheckedContinuation { counter.keep($0) }
        }
        return AccessToken("one")
    }
}

/// Never answers its first request, not even when it is cancelled.
private final class DeafTransport: Transport {
    private let transport: Collector
    private let counter = Counter()

    init(behind transport: Collector) { self.transport = transport }

    var attempts: Int { counter.value }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if counter.increment() == 1 {
            await withCheckedContinuation { counter.keep($0) }
        }
        return try await transport.send(request)
    }
}

/// Never answers, until it is cancelled.
private struct PatientTransport: Transport {
    let isCalledOff: XCTestExpectation

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (nothing, source) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
        source.finish()
        isCalledOff.fulfill()
        throw TransportError(.cancelled)
    }
}
