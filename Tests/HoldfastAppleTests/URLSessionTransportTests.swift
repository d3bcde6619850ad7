import Foundation
import HoldfastApple
import HoldfastDomain
import XCTest

/// The transport against a mock inside URLSession.
final class URLSessionTransportTests: XCTestCase {
    // Not before it is used: XCTest makes an object for each test even to list them.
    private lazy var transport = URLSessionTransport(protocolClasses: [MockServer.self])
    private let request = TransportRequest(
        url: "https://example.org/v1/telemetry/batch",
        headers: [HeaderField("Authorization", "Bearer T"), HeaderField("Content-Encoding", "gzip")],
        body: [1, 2, 3]
    )

    func testEveryStatusIsAnAnswer() async throws {
        for status in [200, 204, 400, 401, 403, 404, 408, 413, 429, 500, 503] {
            MockServer.answer { _, _ in .success(TransportResponse(status: status, body: Array("\(status)".utf8))) }
            let answer = try await transport.send(request)
            XCTAssertEqual(answer.status, status)
            XCTAssertEqual(answer.body, Array("\(status)".utf8))
        }
    }

    func testFieldsGoOutAndComeBack() async throws {
        MockServer.answer { _, _ in
            .success(TransportResponse(status: 429, headers: [HeaderField("Retry-After", "120")]))
        }
        let answer = try await transport.send(request)
        XCTAssertEqual(answer.values(of: "retry-after"), ["120"])
        let asked = try XCTUnwrap(MockServer.requests.first)
        XCTAssertEqual(asked.request.httpMethod, "POST")
        XCTAssertEqual(asked.request.value(forHTTPHeaderField: "Authorization"), "Bearer T")
        XCTAssertEqual(asked.request.value(forHTTPHeaderField: "Content-Encoding"), "gzip")
        XCTAssertEqual(asked.body, [1, 2, 3])
    }

    func testEachFailureHasItsMeaning() async {
        let meanings: [(URLError.Code, TransportError.Code)] = [
            (.notConnectedToInternet, .offline), (.timedOut, .timedOut), (.cannotFindHost, .nameNotResolved),
            (.networkConnectionLost, .connectionFailed), (.secureConnectionFailed, .tlsFailed),
            (.cancelled, .cancelled),
        ]
        for (number, code) in meanings {
            MockServer.answer { _, _ in .failure(URLError(number)) }
            do {
                _ = try await transport.send(request)
                XCTFail("\(number) is no answer")
            } catch { XCTAssertEqual(error as? TransportError, TransportError(code, platformCode: number.rawValue)) }
        }
    }

    func testOfflineThenOnline() async throws {
        MockServer.answer { _, _ in .failure(URLError(.notConnectedToInternet)) }
        let offline = try? await transport.send(request)
        XCTAssertNil(offline)
        MockServer.answer { _, _ in .success(TransportResponse(status: 200)) }
        let online = try await transport.send(request)
        XCTAssertEqual(online.status, 200)
    }

    func testNoCookieIsKept() async throws {
        MockServer.answer { _, _ in
            .success(TransportResponse(status: 200, headers: [HeaderField("Set-Cookie", "a=b; Path=/")]))
        }
        _ = try await transport.send(request)
        _ = try await transport.send(request)
        for asked in MockServer.requests { XCTAssertNil(asked.request.value(forHTTPHeaderField: "Cookie")) }
    }
}
