import HoldfastDomain
import HoldfastInMemory
import XCTest

final class ScriptedTests: XCTestCase {
    private static let request = TransportRequest(url: "http://localhost/", body: [1, 2])

    func testStepsComeInOrderThenTheDefault() async throws {
        let transport = ScriptedTransport([.status(503), .fail(.timedOut)])
        let first = try await transport.send(Self.request)
        XCTAssertEqual(first.status, 503)
        await assertThrows(TransportError(.timedOut)) { try await transport.send(Self.request) }
        let third = try await transport.send(Self.request)
        XCTAssertEqual(third.status, 200)
        XCTAssertEqual(transport.requests, Array(repeating: Self.request, count: 3))
    }

    func testHeldRequestsWaitAndAreCounted() async throws {
        let transport = ScriptedTransport([.status(201)])
        transport.hold()
        async let response = transport.send(Self.request)
        await transport.arrivals(1)
        XCTAssertEqual(transport.mostInFlight, 1)
        transport.release()
        let status = try await response.status
        XCTAssertEqual(status, 201)
    }

    func testCancellingEndsAHeldRequest() async {
        let transport = ScriptedTransport()
        transport.hold()
        let task = Task { try await transport.send(TransportRequest(url: "http://localhost/")) }
        await transport.arrivals(1)
        task.cancel()
        await assertThrows(TransportError(.cancelled)) { try await task.value }
    }

    func testAFreshTokenFollowsARefusal() async throws {
        let host = ScriptedTokenProvider("old", fresh: ["new"])
        let first = try await host.token(refused: nil)
        let second = try await host.token(refused: first)
        let third = try await host.token(refused: first)
        XCTAssertEqual([first, second, third].map { $0?.value }, ["old", "new", "new"])
        XCTAssertEqual(host.refused.count, 2)
        XCTAssertEqual(host.requests, 3)
    }

    func testBatchesAreKept() async throws {
        let sender = ScriptedBatchSender([.answer(.unauthorised)])
        let first = try await sender.send([])
        let second = try await sender.send([])
        XCTAssertEqual([first, second], [.unauthorised, .handled()])
        XCTAssertEqual(sender.batches.count, 2)
    }
}
