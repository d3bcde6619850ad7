import HoldfastKit
import XCTest

@testable import HoldfastCLI

/// How far away a server is decides which network is waited for.
final class ReachTests: XCTestCase {
    func testTheHostSaysHowFarAwayItIs() {
        let cases: [(PlatformConnectivity.Reach, [String])] = [
            (
                .thisDevice,
                [
                    "http://localhost/", "http://LOCALHOST:8080/v1", "http://127.0.0.1:8080", "http://127.9.9.9/a",
                    "http://[::1]:8080/v1", "https://user@localhost/",
                ]
            ),
            (
                .localNetwork,
                [
                    "http://10.0.0.1/", "http://192.168.1.2:80/", "http://169.254.3.4/", "http://172.16.0.1/",
                    "http://172.31.255.255/", "https://collector.local/v1", "http://[fd00::1]/", "http://[fe80::1]:80/",
                ]
            ),
            (
                .internet,
                [
                    "https://example.com/v1", "http://172.15.0.1/", "http://172.32.0.1/", "http://192.169.0.1/",
                    "http://11.0.0.1/", "http://fd.example/", "http://10.0.0.1.example/", "http://256.0.0.1/",
                    "http://[2001:db8::1]/", "",
                ]
            ),
        ]
        for (reach, urls) in cases {
            for url in urls { XCTAssertEqual(PlatformConnectivity.Reach(ofURL: url), reach, url) }
        }
    }
}
