import HoldfastDomain
import HoldfastInMemory
import XCTest

final class TelemetryDeliveryTests: XCTestCase {
    private let batch: [OpenedEntry] = (0..<3).map { number in
        let draft = Draft(
            id: EntryID(high: 0, low: UInt64(number)),
            stream: .telemetry,
            recordedAt: Timestamp(milliseconds: 0),
            keyID: KeyID(1),
            sealed: []
        )
        let json = Array(#"{"id":"\#(number)"}"#.utf8)
        return OpenedEntry(entry: Entry(draft: draft, sequence: Int64(number) + 1), payload: json)
    }

    private func delivery(
        _ transport: ScriptedTransport,
        _ tokens: any AccessTokenProvider = ScriptedTokenProvider("one", fresh: ["two"]),
        compressor: any Compressor = StoredCompressor(),
        answers: AnswerTable = AnswerTable()
    ) -> TelemetryDelivery {
        TelemetryDelivery(
            to: .init(url: "https://collector.example/v1/telemetry/batch", timeout: .seconds(7), answers: answers),
            tokens: tokens,
            transport: transport,
            compressor: compressor,
            clock: ManualClock()
        )
    }

    private func tokens(of transport: ScriptedTransport) -> [String?] {
        transport.requests.map { request in request.headers.first { $0.name == "Authorization" }?.value }
    }

    func testTheRequestIsTheAgreedOne() async {
        let transport = ScriptedTransport()
        let result = await delivery(transport).deliver(batch)
        XCTAssertEqual(result, .delivered(batch))
        let body = Array(#"{"events":[{"id":"0"},{"id":"1"},{"id":"2"}]}"#.utf8)
        XCTAssertEqual(
            transport.requests,
            [
                TransportRequest(
                    url: "https://collector.example/v1/telemetry/batch",
                    headers: [
                        HeaderField("Content-Type", "application/json"), HeaderField("Content-Encoding", "gzip"),
                        HeaderField("Authorization", "Bearer one"),
                    ],
                    body: StoredCompressor().gzip(body),
                    timeout: .seconds(7)
                )
            ]
        )
    }

    func testAHostWithoutTokensSendsWithout() async {
        let transport = ScriptedTransport()
        _ = await delivery(transport, ScriptedTokenProvider(nil)).deliver(batch)
        XCTAssertEqual(tokens(of: transport), [nil])
    }

    func testARefusedTokenIsReplacedOnceAndTheRequestRepeated() async {
        let transport = ScriptedTransport([.status(401)])
        let tokens = ScriptedTokenProvider("one", fresh: ["two"])
        let delivery = delivery(transport, tokens)
        for _ in 0..<10 {
            let result = await delivery.deliver(batch)
            XCTAssertEqual(result, .delivered(batch))
        }
        XCTAssertEqual(self.tokens(of: transport), ["Bearer one"] + Array(repeating: "Bearer two", count: 10))
        XCTAssertEqual(tokens.refused, [AccessToken("one")])
    }

    func testWithoutAnotherTokenEverythingIsHeldAndNothingIsAsked() async {
        for status in [401, 403] {
            let transport = ScriptedTransport(afterwards: .status(status))
            let tokens = ScriptedTokenProvider("one")
            let delivery = delivery(transport, tokens)
            for _ in 0..<60 {
                let result = await delivery.deliver(batch)
                XCTAssertEqual(result, DeliveryResult(.hold(.unauthorised)))
            }
            XCTAssertEqual(transport.requests.count, 1, "one refused request, not sixty")
            XCTAssertEqual(tokens.refused.count, 1)
            transport.setAfterwards(.status(200))
            tokens.setToken("new")
            let result = await delivery.deliver(batch)
            XCTAssertEqual(result, .delivered(batch))
        }
    }

    func testAFreshTokenThatIsRefusedTooIsNotTriedAgain() async {
        let transport = ScriptedTransport(afterwards: .status(403))
        let delivery = delivery(transport, ScriptedTokenProvider("one", fresh: ["two"]))
        for _ in 0..<5 {
            let result = await delivery.deliver(batch)
            XCTAssertEqual(result, DeliveryResult(.hold(.unauthorised)))
        }
        XCTAssertEqual(tokens(of: transport), ["Bearer one", "Bearer two"])
    }

    func testAHostThatCannotSayNowIsAskedAgainAboutTheSameToken() async {
        struct Offline: Error {}
        let transport = ScriptedTransport([.status(401)])
        let tokens = ScriptedTokenProvider("one", fresh: ["two"])
        let refresh = FailingRefresh(tokens)
        let delivery = delivery(transport, refresh)
        for _ in 0..<3 {
            let result = await delivery.deliver(batch)
            XCTAssertEqual(result, DeliveryResult(.hold(.tokenUnavailable)))
        }
        XCTAssertEqual(transport.requests.count, 1)
        await refresh.recover()
        let result = await delivery.deliver(batch)
        XCTAssertEqual(result, .delivered(batch))
        XCTAssertEqual(self.tokens(of: transport), ["Bearer one", "Bearer two"])
        tokens.fail(with: Offline())
        let failed = await delivery.deliver(batch)
        XCTAssertEqual(failed, DeliveryResult(.hold(.tokenUnavailable)))
    }

    func testEveryAnswerHasItsResult() async {
        let wait = [HeaderField("Retry-After", "60")]
        let cases: [(ScriptedTransport.Step, DeliveryVerdict)] = [
            (.status(429, headers: wait), .backOff(serverWait: .seconds(60))),
            (.status(500), .serverFault), (.status(500, headers: wait), .backOff(serverWait: .seconds(60))),
            (.status(503), .backOff(serverWait: nil)), (.fail(.timedOut), .backOff(serverWait: nil)),
            (.fail(.tlsFailed), .backOff(serverWait: nil)), (.fail(.cancelled), .interrupted),
            (.fail(.invalidRequest), .hold(.invalidRequest)), (.status(302), .hold(.redirected)),
            (.status(413), .split), (.status(408), .backOff(serverWait: nil)),
            (.status(400, body: Array("no".utf8)), .rejected(note: Array("400 no".utf8))),
        ]
        for (step, verdict) in cases {
            let delivery = delivery(ScriptedTransport([step]), answers: AnswerTable(retriedStatuses: [408]))
            let result = await delivery.deliver(batch)
            XCTAssertEqual(result, DeliveryResult(verdict))
        }
    }

    func testOnlyTheBeginningOfLongWordsIsKept() async {
        let html = [UInt8](repeating: UInt8(ascii: "<"), count: 3_000_000)
        let result = await delivery(ScriptedTransport([.status(404, body: html)])).deliver(batch)
        guard case .rejected(let note?) = result.verdict else { return XCTFail("not rejected") }
        XCTAssertEqual(note.count, 4 + 1024)
    }

    func testWithoutCompressionTheBodyGoesAsItIs() async {
        struct Broken: Compressor {
            func gzip(_ bytes: [UInt8]) throws -> [UInt8] { throw CompressionError(platformCode: -4) }
        }
        let transport = ScriptedTransport()
        let result = await delivery(transport, compressor: Broken()).deliver(batch)
        XCTAssertEqual(result, .delivered(batch))
        XCTAssertNil(transport.requests.first?.headers.first { $0.name == "Content-Encoding" })
        XCTAssertEqual(transport.requests.first?.body.first, UInt8(ascii: "{"))
    }

    func testAPayloadThatIsNoObjectCannotBeSent() {
        let delivery = delivery(ScriptedTransport())
        var entry = batch[0]
        XCTAssertEqual(delivery.size(of: entry), 10)
        for payload in ["", "{", "[1]", "null"] {
            entry.payload = Array(payload.utf8)
            XCTAssertNil(delivery.size(of: entry))
        }
    }
}

/// Gives the current token, but cannot refresh one until it works.
private actor FailingRefresh: AccessTokenProvider {
    struct NotNow: Error {}
    private let provider: ScriptedTokenProvider
    private var works = false

    init(_ provider: ScriptedTokenProvider) { self.provider = provider }

    func recover() { works = true }

    func token(refused: AccessToken?) async throws -> AccessToken? {
        guard refused == nil || works else { throw NotNow() }
        return try await provider.token(refused: refused)
    }
}
