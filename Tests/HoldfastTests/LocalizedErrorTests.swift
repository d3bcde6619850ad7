import Foundation
import Holdfast
import XCTest

/// `localizedDescription`, which most apps log, says what happened.
final class LocalizedErrorTests: XCTestCase {
    func testEveryErrorOfTheAPIGivesItsOwnDescription() {
        let errors: [any Error] = [
            QueueStoreError(.full), KeyVaultError(.denied), CryptoError(.notAuthentic), TransportError(.offline),
            CompressionError(platformCode: -3), ConfigurationError(.empty, at: "events"), GateFailure(.contended),
            TelemetryError(.tooLarge), MalformedReason.member.about("zoneId"), JSONError(.tooDeep, offset: 7),
        ]
        for error in errors { XCTAssertEqual(error.localizedDescription, "\(error)") }
    }
}
