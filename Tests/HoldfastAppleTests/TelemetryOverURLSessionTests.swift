import Foundation
import Holdfast
import HoldfastApple
import HoldfastInMemory
import Patience
import XCTest

/// Telemetry, from `log` to the server, over URLSession.
final class TelemetryOverURLSessionTests: XCTestCase {
    private let connectivity = SwitchableConnectivity()
    private let endpoint = "https://example.org/v1/telemetry/batch"

    private func telemetry(_ tokens: any AccessTokenProvider = ScriptedTokenProvider("T")) async throws -> Telemetry {
        try await Telemetry(
            endpoint: endpoint,
            token: tokens,
            ports: .inMemory(
                transport: URLSessionTransport(protocolClasses: [MockServer.self]),
                connectivity: connectivity
            )
        )
    }

    /// The numbers in the payloads of a batch.
    private func numbers(in body: [UInt8]) throws -> [Int] {
        let json = try XCTUnwrap(StoredCompressor().unpack(body))
        let batch = try JSONSerialization.jsonObject(with: Data(json)) as? [String: [[String: Any]]]
        return try XCTUnwrap(batch?["events"]).compactMap { ($0["payload"] as? [String: Any])?["n"] as? Int }
    }

    func testEventsGoOutGzippedWithTheTokenInOrder() async throws {
        MockServer.answer { _, _ in .success(TransportResponse(status: 200)) }
        let telemetry = try await telemetry()
        for index in 0..<3 { telemetry.log("e", ["n": .integer(Int64(index))]) }
        let report = await telemetry.flush()
        XCTAssertTrue(report.isComplete)
        let asked = try XCTUnwrap(MockServer.requests.first)
        XCTAssertEqual(asked.request.value(forHTTPHeaderField: "Authorization"), "Bearer T")
        XCTAssertEqual(asked.request.value(forHTTPHeaderField: "Content-Encoding"), "gzip")
        XCTAssertEqual(asked.request.value(forHTTPHeaderField: "Content-Type"), "application/json")
        XCTAssertEqual(try numbers(in: asked.body), [0, 1, 2])
        await telemetry.close()
    }

    func testWhatIsLoggedOfflineArrivesOnline() async throws {
        connectivity.set(reachable: false)
        MockServer.answer { _, _ in .failure(URLError(.notConnectedToInternet)) }
        let telemetry = try await telemetry()
        try await telemetry.record("e", ["n": 1])
        try await telemetry.record("e", ["n": 2])
        var status = await telemetry.status()
        XCTAssertEqual(status.queued, 2)
        let arrived = expectation(description: "a batch has arrived")
        MockServer.answer { _, _ in
            arrived.fulfill()
            return .success(TransportResponse(status: 200))
        }
        connectivity.set(reachable: true)
        await fulfillment(of: [arrived], timeout: 120)
        let patience = Patience("the queue is empty")
        while status.queued > 0 {
            try await patience.yield()
            status = await telemetry.status()
        }
        XCTAssertEqual(try numbers(in: try XCTUnwrap(MockServer.requests.first).body), [1, 2])
        await telemetry.close()
    }

    func testWhatFailsIsSentAgainUnderTheSameIDs() async throws {
        let telemetry = try await telemetry()
        telemetry.log("e", ["n": 1])
        telemetry.log("e", ["n": 2])
        var bodies: [[UInt8]] = []
        let answers: [Result<TransportResponse, URLError>] = [
            .success(TransportResponse(status: 503)), .failure(URLError(.networkConnectionLost)),
            .success(TransportResponse(status: 429)), .failure(URLError(.timedOut)),
            .success(TransportResponse(status: 200)),
        ]
        for answer in answers {
            MockServer.answer { _, _ in answer }
            await telemetry.flush()
            bodies += MockServer.requests.map(\.body)
        }
        XCTAssertEqual(bodies.count, answers.count, "a flush makes one attempt after a failure")
        XCTAssertEqual(Set(bodies).count, 1, "the same events each time")
        let status = await telemetry.status()
        XCTAssertEqual(status.queued, 0)
        XCTAssertEqual(status.lost, [:])
        await telemetry.close()
    }

    func testATokenThatIsRefusedIsAskedForOnceMore() async throws {
        MockServer.answer { request, _ in
            let isGood = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return .success(TransportResponse(status: isGood ? 200 : 401))
        }
        let telemetry = try await telemetry(ScriptedTokenProvider("old", fresh: ["new"]))
        telemetry.log("e")
        let report = await telemetry.flush()
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(MockServer.requests.count, 2)
        await telemetry.close()
    }

    func testWhatTheServerRefusesForGoodIsNotSentAgain() async throws {
        MockServer.answer { _, _ in .success(TransportResponse(status: 400)) }
        let telemetry = try await telemetry()
        telemetry.log("e")
        await telemetry.flush()
        let report = await telemetry.flush()
        XCTAssertEqual(report.status.deadLettered, 1)
        XCTAssertEqual(MockServer.requests.count, 1)
        await telemetry.close()
    }
}
