import Foundation
import HoldfastDomain
import HoldfastInMemory
import XCTest

final class HTTPRecordSenderTests: XCTestCase {
    private let rig = JournalRig(stream: .gate)

    private func sender(_ transport: ScriptedTransport, _ tokens: (any AccessTokenProvider)? = nil) -> HTTPRecordSender
    {
        HTTPRecordSender(
            endpoint: "https://gate.example/records",
            token: tokens,
            transport: transport,
            clock: rig.clock,
            headers: [HeaderField("X-Gate", "north")],
            timeout: .seconds(7)
        )
    }

    private func courier(_ sender: HTTPRecordSender, _ policy: CourierPolicy = CourierPolicy()) -> Courier {
        rig.courier(RecordDelivery(to: sender), policy)
    }

    private func authorisations(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { request in request.headers.first { $0.name == "Authorization" }?.value }
    }

    func testTheRequestIsAsAgreed() async throws {
        let records = try await rig.appendRecords(2)
        let transport = ScriptedTransport()
        _ = await courier(sender(transport)).drain()
        let request = try XCTUnwrap(transport.requests.first)
        XCTAssertEqual(request.method, "POST")
        XCTAssertEqual(request.url, "https://gate.example/records")
        XCTAssertEqual(request.timeout, .seconds(7))
        XCTAssertEqual(
            request.headers,
            [HeaderField("X-Gate", "north"), HeaderField("Content-Type", "application/json")]
        )
        let body = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(request.body)) as? [String: [[String: Any]]])
        let sent = try XCTUnwrap(body["records"])
        XCTAssertEqual(sent.map { $0["scanId"] as? String }, records.map(\.scanID.description))
        XCTAssertEqual(sent.map { $0["sequence"] as? Int }, [1, 2])
    }

    func testNoBodyIsLargerThanTheLimitAndTheLimitIsReachedToTheByte() async throws {
        try await rig.appendRecords(30)
        let probe = ScriptedTransport([.status(503)])
        _ = await courier(sender(probe), CourierPolicy(maxCount: 3)).step()
        let exact = try XCTUnwrap(probe.requests.first).body.count
        for limit in [exact - 1, exact, exact + 1] {
            rig.clock.advance(by: .minutes(5))
            let transport = ScriptedTransport([.status(503)])
            _ = await courier(sender(transport), CourierPolicy(maxBodyBytes: limit)).step()
            let body = try XCTUnwrap(transport.requests.first).body
            XCTAssertLessThanOrEqual(body.count, limit)
            XCTAssertEqual(body.count == exact, limit >= exact)
        }
    }

    func testTheTokenIsAskedForAtEachBatchAndOnceMoreWhenRefused() async throws {
        try await rig.appendRecords(2)
        let tokens = ScriptedTokenProvider("old", fresh: ["new"])
        let transport = ScriptedTransport([.status(401)])
        let (report, _) = await courier(sender(transport, tokens), CourierPolicy(maxCount: 1)).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 2))
        XCTAssertEqual(authorisations(transport), ["Bearer old", "Bearer new", "Bearer new"])
        XCTAssertEqual(tokens.refused, [AccessToken("old")])
        XCTAssertEqual(transport.requests[0].body, transport.requests[1].body)
    }

    /// S47
    func testARefusedTokenHoldsEverythingUntilThereIsAnother() async throws {
        try await rig.appendRecords(3)
        for status in [401, 403] {
            let tokens = ScriptedTokenProvider("old")
            let transport = ScriptedTransport(afterwards: .status(status))
            let courier = courier(sender(transport, tokens))
            for minute in 1...60 {
                let step = await courier.step()
                XCTAssertEqual(step, .held(.unauthorised))
                XCTAssertEqual(transport.requests.count, minute, "the same token is not tried twice in a row")
                rig.clock.advance(by: .minutes(1))
            }
            let queued = try await rig.store.statistics(.gate).queued
            XCTAssertEqual(queued, 3)
        }
        let tokens = ScriptedTokenProvider("old", fresh: ["also-refused"])
        let transport = ScriptedTransport([.status(401), .status(403)])
        let courier = courier(sender(transport, tokens))
        let held = await courier.step()
        XCTAssertEqual(held, .held(.unauthorised))
        XCTAssertEqual(transport.requests.count, 2)
        tokens.setToken("new")
        let step = await courier.step()
        XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 3)))
    }

    func testWithoutATokenNothingIsSentAndNothingIsLost() async throws {
        try await rig.appendRecords(1)
        let tokens = ScriptedTokenProvider("old")
        let transport = ScriptedTransport([.status(401)])
        let courier = courier(sender(transport, tokens))
        tokens.fail(with: TransportError(.offline))
        let step = await courier.step()
        XCTAssertEqual(step, .held(.tokenUnavailable))
        XCTAssertTrue(transport.requests.isEmpty)
        for bad in ["", "two\r\nX-Evil: 1", "ü", "a b"] {
            tokens.setToken(bad)
            let step = await courier.step()
            XCTAssertEqual(step, .held(.tokenUnavailable), bad)
        }
        XCTAssertTrue(transport.requests.isEmpty)
        tokens.setToken(nil)
        let refused = await courier.step()
        XCTAssertEqual(refused, .held(.unauthorised))
        XCTAssertEqual(authorisations(transport), [nil])
    }

    func testARefusalWithoutAnyTokensHolds() async throws {
        try await rig.appendRecords(1)
        let transport = ScriptedTransport([.status(401)])
        let step = await courier(sender(transport)).step()
        XCTAssertEqual(step, .held(.unauthorised))
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testATokenThatIsMissingOnlyAfterTheRefusalHolds() async throws {
        try await rig.appendRecords(1)
        let tokens = ScriptedTokenProvider("old")
        let transport = ScriptedTransport([
            .reply { _ in
                tokens.fail(with: TransportError(.offline))
                return TransportResponse(status: 401)
            }
        ])
        let step = await courier(sender(transport, tokens)).step()
        XCTAssertEqual(step, .held(.tokenUnavailable))
    }

    func testTheTimeOfAServerThatTookABatchIsPassedOn() async throws {
        try await rig.appendRecords(1)
        let seen = SeenAnchors()
        let date = HeaderField("Date", "Fri, 01 May 2026 12:00:30 GMT")
        let transport = ScriptedTransport([
            .status(500, headers: [date]), .status(200, headers: [date], body: Array("<html>".utf8)),
            .status(200, headers: [HeaderField("Date", "yesterday")]), .status(200, headers: [date]),
        ])
        let sender = HTTPRecordSender(
            endpoint: "u",
            transport: transport,
            clock: rig.clock,
            onServerTime: { await seen.add($0) }
        )
        for _ in 0..<4 {
            try await rig.appendRecords(1)
            rig.clock.advance(by: .minutes(5))
            _ = await courier(sender).step()
        }
        let anchors = await seen.anchors
        let moment = Timestamp(milliseconds: 1_777_636_830_000)
        XCTAssertEqual(anchors, [ClockAnchor(server: moment, seenAt: rig.clock.now())])
    }

    func testWhoAsksIsToldWhyEachRequestFailed() async throws {
        try await rig.appendRecords(1)
        let seen = SeenFailures()
        let transport = ScriptedTransport([
            .fail(.timedOut), .status(503), .status(200, body: Array("<html>".utf8)), .status(401), .status(404),
        ])
        let sender = HTTPRecordSender(
            endpoint: "u",
            transport: transport,
            clock: rig.clock,
            onAttempt: { await seen.add($0) }
        )
        for _ in 0..<6 {
            rig.clock.advance(by: .minutes(5))
            _ = await courier(sender).step()
        }
        let failures = await seen.failures
        XCTAssertEqual(
            failures,
            [
                .noAnswer(TransportError(.timedOut)), .answer(status: 503), .answer(status: 200), .answer(status: 401),
                .answer(status: 404), nil,
            ]
        )
    }

    /// An answer that is lost costs nothing: the same records come again, and the server knows them.
    func testALostAnswerLosesNothing() async throws {
        let ids = try await rig.appendRecords(3).map(\.scanID)
        let transport = ScriptedTransport([.fail(.timedOut), .status(200, body: Array("{\"results\":[{".utf8))])
        let courier = courier(sender(transport))
        for _ in 0..<2 {
            _ = await courier.step()
            rig.clock.advance(by: .minutes(5))
        }
        let duplicates = ids.map { "{\"scanId\":\"\($0)\",\"outcome\":\"duplicate\"}" }.joined(separator: ",")
        transport.append(.status(200, body: Array("{\"results\":[\(duplicates)]}".utf8)))
        let step = await courier.step()
        XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 3, duplicates: 3)))
        XCTAssertEqual(Set(transport.requests.map(\.body)).count, 1)
    }

    func testACallThatIsCancelledWhileItAsksForATokenIsCalledOff() async throws {
        try await rig.appendRecords(1)
        let courier = courier(sender(ScriptedTransport(), CancelledTokens()))
        let step = await Task { await courier.step() }.value
        XCTAssertEqual(step, .held(.interrupted))
    }
}

private actor SeenAnchors {
    private(set) var anchors: [ClockAnchor] = []
    func add(_ anchor: ClockAnchor) { anchors.append(anchor) }
}

private actor SeenFailures {
    private(set) var failures: [AttemptFailure?] = []
    func add(_ failure: AttemptFailure?) { failures.append(failure) }
}

/// A host that is interrupted while it looks for its token.
private struct CancelledTokens: AccessTokenProvider {
    func token(refused: AccessToken?) async throws -> AccessToken? {
        withUnsafeCurrentTask { $0?.cancel() }
        throw CancellationError()
    }
}
