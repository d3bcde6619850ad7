import Glibc
import HoldfastDomain
import XCTest

@testable import HoldfastCurl

final class CurlErrorTests: XCTestCase {
    func testAConnectionThatFailedForWantOfARouteIsOffline() {
        for number in [ENETUNREACH, EHOSTUNREACH, ENETDOWN] {
            XCTAssertEqual(
                TransportError(curl: .init(7), systemError: number),
                TransportError(.offline, platformCode: 7)
            )
        }
        XCTAssertEqual(
            TransportError(curl: .init(7), systemError: ECONNREFUSED),
            TransportError(.connectionFailed, platformCode: 7)
        )
    }

    func testAnUnknownCodeIsKept() {
        XCTAssertEqual(TransportError(curl: .init(999)), TransportError(.connectionFailed, platformCode: 999))
    }
}
