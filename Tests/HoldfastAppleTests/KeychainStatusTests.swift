import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class KeychainStatusTests: XCTestCase {
    private let failures: [Int32] = [
        -4, -34, -36, -50, -108, -128, -2070, -25291, -25293, -25308, -26275, -34018, 1, .min, .max,
    ]

    private func code(_ body: () throws -> Void) -> KeyVaultError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? KeyVaultError)?.code }
    }

    func testOnlyItemNotFoundIsAbsence() throws {
        XCTAssertNil(try KeychainAnswer.secret(-25300, nil))
        XCTAssertEqual(try KeychainAnswer.names(-25300, nil), [])
        for status in failures + [-25299] {
            XCTAssertNotNil(code { _ = try KeychainAnswer.secret(status, nil) }, "\(status)")
            XCTAssertNotNil(code { _ = try KeychainAnswer.names(status, nil) }, "\(status)")
        }
    }

    func testLockedIsUnavailableAndSoIsWhateverIsNotKnown() {
        for status: Int32 in [-25308, -25291, -36, -128, -2070, 1, .min] {
            XCTAssertEqual(KeyVaultError(keychain: status).code, .unavailable, "\(status)")
        }
        XCTAssertEqual(KeyVaultError(keychain: -34018).code, .denied)
        XCTAssertEqual(KeyVaultError(keychain: -25293).code, .denied)
        XCTAssertEqual(KeyVaultError(keychain: -26275).code, .damaged)
    }

    func testTheNumberIsKept() {
        for status in failures { XCTAssertEqual(KeyVaultError(keychain: status).platformCode, Int(status)) }
    }

    func testSuccessWithoutBytesIsDamage() {
        XCTAssertEqual(code { _ = try KeychainAnswer.secret(0, nil) }, .damaged)
        XCTAssertEqual(code { _ = try KeychainAnswer.names(0, nil) }, .damaged)
        XCTAssertEqual(try KeychainAnswer.secret(0, []), [])
    }

    func testADuplicateIsAnAnswer() throws {
        XCTAssertTrue(try KeychainAnswer.inserted(0))
        XCTAssertFalse(try KeychainAnswer.inserted(-25299))
        for status in failures + [-25300] { XCTAssertNotNil(code { _ = try KeychainAnswer.inserted(status) }) }
    }

    func testRemovingWhatIsAbsentIsNoError() throws {
        XCTAssertNil(code { try KeychainAnswer.removed(0) })
        XCTAssertNil(code { try KeychainAnswer.removed(-25300) })
        for status in failures { XCTAssertNotNil(code { try KeychainAnswer.removed(status) }) }
    }

    func testAbsenceCountsOnlyWhereAnItemCanBeAdded() {
        XCTAssertEqual(KeychainAnswer.absence(whenAddingAnswered: 0), -25300)
        XCTAssertEqual(KeychainAnswer.absence(whenAddingAnswered: -25299), -25300)
        for status in failures { XCTAssertEqual(KeychainAnswer.absence(whenAddingAnswered: status), status) }
    }
}
