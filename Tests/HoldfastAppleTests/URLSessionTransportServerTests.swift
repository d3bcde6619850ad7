#if os(Linux) || os(macOS)
import CollectorClient
import Foundation
import HoldfastDomain
import Patience
import XCTest

@testable import HoldfastApple

/// The transport against a real server on this machine.
final class URLSessionTransportServerTests: XCTestCase {
    private let records = Array(#"{"records":[{"scanId":"a"}]}"#.utf8)

    private func request(_ collector: Collector, timeout: Interval = .seconds(120)) -> TransportRequest {
        TransportRequest(url: collector.url + "/records", body: records, timeout: timeout)
    }

    private func failure(of request: TransportRequest, _ transport: URLSessionTransport) async -> TransportError? {
        do {
            _ = try await transport.send(request)
            return nil
        } catch { return error as? TransportError }
    }

    func testBringsBackStatusHeadersAndBodyOfAnyAnswer() async throws {
        let collector = try Collector(script: #"[{"status":429,"retryAfter":"120"},{"status":503},{"status":400}]"#)
        let transport = URLSessionTransport()
        let first = try await transport.send(request(collector))
        XCTAssertEqual(first.status, 429)
        XCTAssertEqual(first.values(of: "retry-after"), ["120"])
        for status in [503, 400] {
            let answer = try await transport.send(request(collector))
            XCTAssertEqual(answer.status, status)
        }
        let taken = try await transport.send(request(collector))
        XCTAssertEqual(taken.status, 200)
        XCTAssertTrue(String(decoding: taken.body, as: UTF8.self).contains("accepted"))
    }

    func testSendsTheBodyAndHeadersAsGiven() async throws {
        let collector = try Collector(arguments: ["--token", "T1"])
        let transport = URLSessionTransport()
        var request = request(collector)
        let refused = try await transport.send(request)
        XCTAssertEqual(refused.status, 401)
        request.headers = [HeaderField("Authorization", "Bearer T1"), HeaderField("Content-Type", "application/json")]
        let taken = try await transport.send(request)
        XCTAssertEqual(taken.status, 200)
        XCTAssertEqual(try collector.accepted().count, 1)
        XCTAssertEqual(try collector.requests().first?["wireBytes"] as? Int, records.count)
    }

    func testFollowsNoRedirect() async throws {
        let target = try Collector()
        let collector = try Collector(script: #"[{"redirect":"\#(target.url)/records"}]"#)
        let answer = try await URLSessionTransport().send(request(collector))
        XCTAssertEqual(answer.status, 307)
        XCTAssertEqual(try target.requests().count, 0)
    }

    func testEndsWithinTheTimeoutWhenNothingComes() async throws {
        let collector = try Collector(script: #"[{"hang":30}]"#)
        let error = await failure(of: request(collector, timeout: .milliseconds(300)), URLSessionTransport())
        XCTAssertEqual(error?.code, .timedOut)
    }

    func testEndsWithinTheTimeoutWhenTheAnswerDrips() async throws {
        // Each byte comes in time for URLSession's own timeout, which starts afresh with every one.
        let collector = try Collector(script: #"[{"drip":50,"nonsense":"html"}]"#)
        let error = await failure(of: request(collector, timeout: .milliseconds(400)), URLSessionTransport())
        XCTAssertEqual(error?.code, .timedOut)
    }

    func testCutsAHugeBody() async throws {
        let collector = try Collector(script: #"[{"nonsense":"html"}]"#)
        let answer = try await URLSessionTransport(bodyLimit: 10_000).send(request(collector))
        XCTAssertEqual(answer.status, 200)
        XCTAssertEqual(answer.body.count, 10_000)
    }

    func testTellsALostConnection() async throws {
        let collector = try Collector(script: #"[{"drop":"after"}]"#)
        let error = await failure(of: request(collector), URLSessionTransport())
        // Apple's URLSession says -1005, Linux's that the answer was bad; either is tried again.
        XCTAssertTrue([.connectionFailed, .invalidResponse].contains(error?.code))
        let next = try await URLSessionTransport().send(request(collector))
        XCTAssertTrue(String(decoding: next.body, as: UTF8.self).contains("duplicate"), "the first had its effect")
    }

    func testTellsARefusedConnection() async throws {
        let error = await failure(of: TransportRequest(url: "http://127.0.0.1:1/"), URLSessionTransport())
        XCTAssertEqual(error?.code, .connectionFailed)
    }

    func testTellsWhatIsNotHTTP() async throws {
        let collector = try Collector(script: #"[{"nonsense":"not-http"}]"#)
        let error = await failure(of: request(collector, timeout: .seconds(5)), URLSessionTransport())
        XCTAssertNotNil(error)
    }

    func testCancellingTheTaskEndsTheExchange() async throws {
        let collector = try Collector(script: #"[{"hang":30}]"#)
        let transport = URLSessionTransport()
        let request = request(collector)
        let running = Task { try await transport.send(request) }
        let patience = Patience("the request has come in")
        while try await !connected(collector) { try await patience.yield() }
        running.cancel()
        do {
            _ = try await running.value
            XCTFail("cancelled, yet answered")
        } catch { XCTAssertEqual((error as? TransportError)?.code, .cancelled) }
    }

    func testATaskCancelledBeforehandSendsNothing() async throws {
        let collector = try Collector()
        let transport = URLSessionTransport()
        let request = request(collector)
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(request)
        }
        do {
            _ = try await running.value
            XCTFail("cancelled, yet answered")
        } catch { XCTAssertEqual((error as? TransportError)?.code, .cancelled) }
    }

    /// Whether the collector has taken a request's connection: its own answer counts finished requests only.
    private func connected(_ collector: Collector) async throws -> Bool {
        let answer = try await URLSessionTransport().send(TransportRequest(method: "GET", url: collector.url))
        return String(decoding: answer.body, as: UTF8.self).contains(#""requests": 1"#)
    }
}
#endif
