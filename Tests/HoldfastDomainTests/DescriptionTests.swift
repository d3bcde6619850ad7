import Foundation
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

    func testWhatStandsInForAnEnumerationPrintsItsName() throws {
        let codes: [(Any, String)] = [
            (QueueStoreError.Code.readOnly, "read_only"), (KeyVaultError.Code.invalidName, "invalid_name"),
            (CryptoError.Code.notAuthentic, "not_authentic"), (TransportError.Code.timedOut, "timed_out"),
            (JSONError.Code.tooDeep, "too_deep"), (ConfigurationError.Code.weakKey, "weak_key"),
            (GateFailure.Code.contended, "contended"), (TelemetryError.Code.emptyType, "empty_type"),
            (DiagnosticEvent.Code.journalLost, "journal_lost"), (DeliveryObstacle.serverWait, "server_wait"),
            (LossReason.overflow, "overflow"), (StreamName.gate, "gate"), (MalformedReason.json, "ticket: json"),
        ]
        for (code, name) in codes {
            XCTAssertEqual("\(code)", name)
            XCTAssertEqual("\([code])", "[\(name)]")
        }
        XCTAssertEqual("\(MalformedReason.member.about("zoneId"))", "ticket: member (zoneId)")
        for code in DenialCode.allCases { XCTAssertEqual("\(code)", code.rawValue) }
        XCTAssertEqual(codes.count, try declarations(of: "public let rawValue: String"), "one is missing above")
    }

    /// How often the domain's sources say so, but for `Lease.ID`, which is a store's own token.
    private func declarations(of text: String) throws -> Int {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/HoldfastDomain").standardized
        let files = try XCTUnwrap(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let counts = try files.compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "Lease.swift" }
            .map { try String(contentsOf: $0, encoding: .utf8).components(separatedBy: text).count - 1 }
        return counts.reduce(0, +)
    }

    func testNothingPrivateIsPrinted() {
        let field = HeaderField("Authorization", "Bearer SECRET")
        let body = Array("SECRET".utf8)
        let event = TelemetryEvent(
            id: EntryID(high: 0, low: 1),
            timestamp: Timestamp(milliseconds: 0),
            type: "SECRET",
            payload: ["SECRET": "SECRET"],
            sessionID: "SECRET"
        )
        let configuration = KeyConfiguration(
            version: 7,
            events: [TicketEvent(id: "EV1", keys: [], zones: [("SECRET", ["SECRET"])], revoked: ["SECRET"])]
        )
        let values: [(Any, String)] = [
            (field, "HeaderField(Authorization)"),
            (TransportRequest(url: "SECRET", headers: [field], body: body), "TransportRequest(POST, 6 bytes)"),
            (TransportResponse(status: 200, headers: [field], body: body), "TransportResponse(200, 6 bytes)"),
            (event, "TelemetryEvent(00000000-0000-0000-0000-000000000001)"),
            (configuration, "KeyConfiguration(version 7, EV1)"),
            (configuration.events[0], "TicketEvent(EV1, 0 keys)"),
        ]
        for (value, text) in values {
            XCTAssertEqual("\(value)", text)
            XCTAssertEqual("\([value])", "[\(text)]")
        }
    }

    func testTimesPrintAsTheyAreRead() {
        XCTAssertEqual("\(Timestamp(milliseconds: 1_777_636_800_250))", "2026-05-01T12:00:00.250Z")
        XCTAssertEqual("\(Timestamp.distantFuture)", "9223372036854775807 ms")
        XCTAssertEqual("\(Interval.seconds(90))", "90000 ms")
    }
}
