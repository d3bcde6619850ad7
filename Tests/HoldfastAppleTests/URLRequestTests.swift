import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastApple

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

final class URLRequestTests: XCTestCase {
    func testCarriesMethodHeadersAndTimeout() throws {
        let request = TransportRequest(
            url: "https://example.org/v1/telemetry/batch",
            headers: [HeaderField("Authorization", "Bearer x"), HeaderField("Content-Type", "application/json")],
            timeout: .seconds(7)
        )
        let made = try URLRequest(request)
        XCTAssertEqual(made.httpMethod, "POST")
        XCTAssertEqual(made.value(forHTTPHeaderField: "authorization"), "Bearer x")
        XCTAssertEqual(made.timeoutInterval, 7)
        XCTAssertFalse(made.httpShouldHandleCookies)
        XCTAssertEqual(made.cachePolicy, .reloadIgnoringLocalCacheData)
    }

    func testRefusesWhatIsNoHTTPRequest() {
        let urls = [
            "", "/v1", "example.org", "file:///etc/passwd", "ftp://example.org", "http://", "http:///x", "data:,x",
        ]
        var bad = urls.map { TransportRequest(url: $0) }
        bad.append(TransportRequest(method: "", url: "https://example.org"))
        bad.append(TransportRequest(method: "POST /x HTTP/1.1\r\n", url: "https://example.org"))
        for field in [
            HeaderField("", "x"), HeaderField("A:", "x"), HeaderField("A", "x\r\nB: y"), HeaderField("A", "\0"),
        ] {
            bad.append(TransportRequest(url: "https://example.org", headers: [field]))
        }
        for request in bad {
            XCTAssertThrowsError(try URLRequest(request), "\(request)") {
                XCTAssertEqual(($0 as? TransportError)?.code, .invalidRequest)
            }
        }
    }

    func testATimeoutIsNeverZeroOrLess() throws {
        for milliseconds in [Int64.min, -1, 0, 1] {
            let request = TransportRequest(url: "http://example.org", timeout: .milliseconds(milliseconds))
            XCTAssertEqual(try URLRequest(request).timeoutInterval, 0.001)
        }
    }
}
