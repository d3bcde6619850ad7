import Foundation
import HoldfastCurl
import HoldfastDomain
import Patience
import XCTest

final class CurlTransportTests: XCTestCase {
    private var server: LoopbackServer!
    private let transport = CurlTransport()

    override func setUpWithError() throws { server = try LoopbackServer.shared.get() }

    private func send(
        _ path: String,
        method: String = "POST",
        headers: [HeaderField] = [],
        body: [UInt8] = [],
        timeout: Interval = .seconds(120)
    ) async throws -> TransportResponse {
        try await transport.send(
            TransportRequest(method: method, url: server.url(path), headers: headers, body: body, timeout: timeout)
        )
    }

    // MARK: - What is sent

    func testSendsMethodFieldsAndBodyAsGiven() async throws {
        let headers = [
            HeaderField("Authorization", "Bearer t"), HeaderField("X-Two", "a"), HeaderField("X-Two", "b"),
            HeaderField("X-Empty", ""), HeaderField("X-Text", "naïve; x=\"1\", 2"),
        ]
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let echo = try Echo(try await send("echo", method: method, headers: headers, body: body))
            XCTAssertEqual(echo.method, method)
            XCTAssertEqual(echo.length, body.count)
            XCTAssertEqual(
                echo.fields.filter { !["host", "accept", "content-length"].contains($0.name) },
                headers.map { HeaderField($0.name.lowercased(), $0.value) }
            )
        }
    }

    func testSendsNothingOfItsOwn() async throws {
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        defer { unsetenv("http_proxy") }
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-home-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }  // a folder that is left over does no harm
        try Data("machine 127.0.0.1 login a password b".utf8).write(to: home.appendingPathComponent(".netrc"))
        let usual = getenv("HOME").map { String(cString: $0) }
        setenv("HOME", home.path, 1)
        defer { if let usual { setenv("HOME", usual, 1) } else { unsetenv("HOME") } }
        _ = try await send("cookie")
        let small = try Echo(try await send("echo", body: [1]))
        let large = try Echo(try await send("echo", body: [UInt8](repeating: 0, count: 2 << 20)))
        for echo in [small, large] {
            XCTAssertEqual(Set(echo.fields.map(\.name)), ["host", "accept", "content-length"])
        }
    }

    func testBodilessMethods() async throws {
        let get = try Echo(try await send("echo", method: "GET"))
        XCTAssertEqual(get.method, "GET")
        XCTAssertFalse(get.fields.contains { $0.name == "content-length" })
        let post = try Echo(try await send("echo"))
        XCTAssertEqual(post.fields.first { $0.name == "content-length" }?.value, "0")
        let head = try await send("status/204", method: "HEAD")
        XCTAssertEqual(head.status, 204)
    }

    func testRefusesWhatCannotBeSentAsMeant() async {
        let urls = [
            "", "no url", "/path", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http:///x", "http://a b/",
            "http://127.0.0.1:99999/", "http://127.0.0.1\r\nX: y/", "http://user:secret@127.0.0.1:1/", "http://\u{0}/",
        ]
        for url in urls {
            await assertThrows(.invalidRequest, "\(urls.firstIndex(of: url) ?? -1)") {
                try await transport.send(TransportRequest(url: url))
            }
        }
        let fields = [
            HeaderField("X", "a\r\nY: b"), HeaderField("X\r\nY", "b"), HeaderField("", "a"), HeaderField("X:", "a"),
            HeaderField("X", "a\u{0}b"), HeaderField("Content-Length", "3"),
            HeaderField("Transfer-Encoding", "chunked"),
        ]
        for field in fields {
            await assertThrows(.invalidRequest) { try await send("echo", headers: [field]) }
        }
        await assertThrows(.invalidRequest) { try await send("echo", method: "POST /x HTTP/1.1\r\nX: y\r\n\r\nGET") }
    }

    // MARK: - What comes back

    func testEveryStatusIsAnAnswer() async throws {
        for status in [200, 201, 204, 304, 400, 401, 403, 404, 408, 413, 418, 429, 500, 503, 599] {
            let response = try await send("status/\(status)")
            XCTAssertEqual(response.status, status)
            XCTAssertEqual(response.values(of: "X-TEST"), ["one", "two"])
            XCTAssertEqual(response.values(of: "x-empty"), [""])
            XCTAssertEqual(response.body, [204, 304].contains(status) ? [] : Array("said".utf8))
        }
    }

    func testFollowsNoRedirectAndKeepsNoCookie() async throws {
        let redirect = try await send("redirect")
        XCTAssertEqual(redirect.status, 302)
        XCTAssertEqual(redirect.values(of: "location"), ["/echo"])
        let cookie = try await send("cookie")
        XCTAssertEqual(cookie.values(of: "set-cookie"), ["a=b; Path=/"])
        let next = try Echo(try await send("echo"))
        XCTAssertFalse(next.fields.contains { $0.name == "cookie" })
    }

    func testOddHeadsAreReadAsTheyAreMeant() async throws {
        let interim = try await send("interim")
        XCTAssertEqual(interim.status, 200)
        XCTAssertEqual(interim.values(of: "x-early"), [])
        XCTAssertEqual(interim.values(of: "x-late"), ["yes"])
        let folded = try await send("folded")
        XCTAssertEqual(folded.values(of: "x-long"), ["one two"])
    }

    func testBodiesAreCutAtTheLimit() async throws {
        for (count, kept) in [(1 << 20, 1 << 20), (1 << 20 + 1, 1 << 20), (3_000_000, 1 << 20)] {
            let response = try await send("bytes/\(count)")
            XCTAssertEqual(response.status, 200)
            XCTAssertEqual(response.body.count, kept)
        }
        let endless = try await send("endless")
        XCTAssertEqual(endless.body.count, 1 << 20)
        let small = CurlTransport(configuration: .init(maxResponseBytes: 10))
        let cut = try await small.send(TransportRequest(url: server.url("bytes/11")))
        XCTAssertEqual(cut.body.count, 10)
    }

    func testAnEndlessHeadIsRefused() async throws {
        let long = try await send("fields/50")
        XCTAssertEqual(long.headers.count, 51)
        await assertThrows(.invalidResponse) { try await send("fields/400") }
    }

    // MARK: - What does not come back

    func testFailuresAreToldApart() async {
        await assertThrows(.timedOut) { try await send("never", timeout: .milliseconds(200)) }
        await assertThrows(.timedOut) { try await send("slow/5000", timeout: .milliseconds(100)) }
        await assertThrows(.timedOut) { try await send("never", timeout: .milliseconds(-1)) }
        for path in ["reset/before", "reset/during", "close/before", "close/during"] {
            await assertThrows(.connectionFailed, path) { try await send(path) }
        }
        await assertThrows(.invalidResponse) { try await send("garbage") }
        await assertThrows(.connectionFailed) { try await transport.send(TransportRequest(url: "http://127.0.0.1:1/")) }
        await assertThrows(.tlsFailed) {
            try await transport.send(TransportRequest(url: "https://127.0.0.1:\(server.port)/"))
        }
        // A label of more than 63 characters is no name (RFC 1035, section 2.3.4), so nobody is asked for it.
        let name = String(repeating: "n", count: 70)
        await assertThrows(.nameNotResolved) { try await transport.send(TransportRequest(url: "http://\(name).test/")) }
    }

    func testErrorsKeepTheNumberAndShowNothing() async {
        do {
            _ = try await send(
                "reset/before",
                headers: [HeaderField("Authorization", "secret-token")],
                body: [1, 2, 3]
            )
            XCTFail("nothing was thrown")
        } catch {
            XCTAssertNotNil((error as? TransportError)?.platformCode)
            let text = "\(error) \(String(reflecting: error))"
            XCTAssertFalse(text.contains("secret") || text.contains("127.0.0.1") || text.contains("reset/before"))
        }
    }

    func testCancellingEndsTheExchange() async throws {
        let before = try Counts(try await send("counts"))
        let request = TransportRequest(url: server.url("never"), timeout: .seconds(60))
        let task = Task { [transport] in try await transport.send(request) }
        // The server answers others meanwhile.
        var now = before
        var patience = Patience("the request waits at the server")
        while now.waiting == before.waiting {
            try await patience.yield()
            now = try Counts(try await send("counts"))
        }
        XCTAssertEqual(now.waiting, before.waiting + 1)
        task.cancel()
        await assertThrows(.cancelled) { try await task.value }
        patience = Patience("the server sees that nobody waits any more")
        while now.abandoned == before.abandoned {
            try await patience.yield()
            now = try Counts(try await send("counts"))
        }
        XCTAssertEqual(now.abandoned, before.abandoned + 1)
    }

    func testCancelledBeforeItBegan() async {
        let request = TransportRequest(url: server.url("never"), timeout: .seconds(60))
        for _ in 0..<50 {
            let task = Task { [transport] in try await transport.send(request) }
            task.cancel()
            await assertThrows(.cancelled) { try await task.value }
        }
    }

    // MARK: - Connections

    func testConnectionsAreUsedAgain() async throws {
        for expected in 1...5 {
            let echo = try Echo(try await send("echo", body: [1]))
            XCTAssertEqual(echo.request, expected)
        }
    }

    func testAConnectionThatTheServerClosedIsOpenedAnew() async throws {
        let observer = CurlTransport()
        for round in 1...5 {
            _ = try await send("last")
            // While the server is still closing, a request may fail on the way, and is for the courier to repeat.
            let patience = Patience("the server has closed connection \(round)")
            while try Counts(try await observer.send(TransportRequest(url: server.url("counts")))).left < round {
                try await patience.yield()
            }
            let echo = try Echo(try await send("echo", body: [UInt8](repeating: 1, count: 200_000)))
            XCTAssertEqual(echo.length, 200_000)
        }
    }

    func testManyAtOnceWithinTheLimitOfConnections() async throws {
        let before = try Counts(try await send("counts")).connections
        let transport = CurlTransport(configuration: .init(maxConnections: 4))
        let url = server.url("slow/20")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 { group.addTask { try await transport.send(TransportRequest(url: url)).status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        XCTAssertEqual(statuses, [Int](repeating: 200, count: 16))
        let after = try Counts(try await send("counts")).connections
        XCTAssertLessThanOrEqual(after - before, 4)
    }

    func testATransportThatIsDroppedLeavesNothingBehind() async throws {
        let before = try threadCount()
        for _ in 0..<20 {
            let transport = CurlTransport()
            _ = try await transport.send(TransportRequest(url: server.url("echo")))
        }
        // Their threads end by themselves, soon after; others of the process come and go meanwhile.
        let patience = Patience("the threads of twenty transports have ended")
        while try threadCount() > before + 10 { try await patience.yield() }
    }

    private func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    private func assertThrows(
        _ code: TransportError.Code,
        _ message: String = "",
        line: UInt = #line,
        _ body: () async throws -> some Any
    ) async {
        do {
            _ = try await body()
            XCTFail("nothing was thrown \(message)", line: line)
        } catch {
            XCTAssertEqual((error as? TransportError)?.code, code, "\(error) \(message)", line: line)
        }
    }
}

/// What the server says of a request.
private struct Echo: Decodable {
    let method: String
    let headers: [[String]]
    let length: Int
    let request: Int

    init(_ response: TransportResponse) throws { self = try JSONDecoder().decode(Self.self, from: Data(response.body)) }

    var fields: [HeaderField] { headers.map { HeaderField($0[0].lowercased(), $0[1]) } }
}

/// What the server has seen so far.
private struct Counts: Decodable {
    let connections: Int
    let waiting: Int
    let abandoned: Int
    let left: Int

    init(_ response: TransportResponse) throws { self = try JSONDecoder().decode(Self.self, from: Data(response.body)) }
}
