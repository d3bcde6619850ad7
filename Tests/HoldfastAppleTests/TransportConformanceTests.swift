#if os(Linux) || os(macOS)
import CollectorClient
import HoldfastApple
import HoldfastConformance
import XCTest

final class TransportConformanceTests: XCTestCase {
    func testURLSessionTransportKeepsThePromisesOfATransport() async throws {
        let collector = try Collector(
            script: Conformance.transportScript,
            arguments: ["--token", "conformance"]
        )
        let broken = await Conformance.transport.run { [url = collector.url] in
            .init(URLSessionTransport(), server: url)
        }
        XCTAssertEqual(broken, [])
    }
}
#endif
