import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class KeychainStatusTests: XCTestCase {
    func testOnlyItemNotFoundIsAbsence() throws {
        XCTAssertNil(try KeychainAnswer.secret(-25300, nil))
        for status: Int32 in [
            -4, -34, -36, -50, -108, -128, -2070, -25291, -25293, -25299, -25308, -26275, -34018, 1, .min,
        ] {
            XCTAssertThrowsError(try KeychainAnswer.secret(status, nil)) {
                XCTAssertEqual(($0 as? KeyVaultError)?.platformCode, Int(status))
            }
        }
    }
}
