import CollectorClient
import HoldfastConformance
import HoldfastCurl
import XCTest

final class CurlConformanceTests: XCTestCase {
    func testKeepsThePromises() async throws {
        let collector = try Collector(script: Conformance.transportScript, arguments: ["--token", "conformance"])
        let broken = await Conformance.transport.run { .init(CurlTransport(), server: collector.url) }
        XCTAssertEqual(broken, [])
    }
}
