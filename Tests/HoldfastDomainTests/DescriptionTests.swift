import HoldfastDomain
import XCTest

/// What errors and times print, in a log or an assertion.
final class DescriptionTests: XCTestCase {
    func testAnErrorPrintsItsPortItsKindAndTheNumber() {
        XCTAssertEqual("\(QueueStoreError(.full, platformCode: 13))", "store: full (13)")
        XCTAssertEqual("\(KeyVaultError(.unavailable))", "vault: unavailable")
        XCTAssertEqual("\(CryptoError(.libraryFailure, platformCode: 7))", "crypto: library_failure (7)")
        XCTAssertEqual("\(TransportError(.timedOut, platformCode: 28))", "transport: timed_out (28)")
        XCTAssertEqual("\(CompressionError(platformCode: -3))", "compression: failed (-3)")
    }

    func testTelemetryPrintsTheCauseToo() {
        let cause = TelemetryError.Cause.store(QueueStoreError(.full, platformCode: 13))
        XCTAssertEqual("\(TelemetryError(.notStored, cause: cause))", "telemetry: not_stored, store: full (13)")
        XCTAssertEqual("\(TelemetryError(.emptyType))", "telemetry: empty_type")
    }

    func testTimesPrintAsTheyAreRead() {
        XCTAssertEqual("\(Timestamp(milliseconds: 1_777_636_800_250))", "2026-05-01T12:00:00.250Z")
        XCTAssertEqual("\(Timestamp.distantFuture)", "9223372036854775807 ms")
        XCTAssertEqual("\(Interval.seconds(90))", "90000 ms")
    }
}
