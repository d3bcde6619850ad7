import Foundation
import HoldfastDomain
import HoldfastKit
import HoldfastOpenSSL
import XCTest

@testable import GateApp

/// What the ticket SDK was asked to do, each a test, in the sample app and on the ports that a device gets.
@MainActor
final class GateAcceptanceTests: XCTestCase {
    private var venue: Venue!

    override func setUp() async throws { venue = try Venue() }

    override func tearDown() async throws { venue.close() }

    /// The sample shows: start the scanner, get a result, validate, record, sync.
    func testScannerResultValidateRecordSync() async throws {
        let desk = venue.desk()
        await desk.start()
        let first = try await venue.scan(try venue.ticket("T-1"), at: desk)
        let ticket = try XCTUnwrap(first.ticket)
        XCTAssertEqual(
            [ticket.ticketID, ticket.eventID, ticket.zoneID],
            ["T-1", "EV1", "GA"]
        )
        XCTAssertEqual(
            [ticket.issuedAt, ticket.validFrom, ticket.validTo].map { $0?.rfc3339 },
            ["2026-05-01T00:00:00.000Z", "2026-06-01T17:00:00.000Z", "2026-06-01T23:00:00.000Z"]
        )
        XCTAssertEqual(ticket.signature.count, 64)
        XCTAssertEqual(desk.light, .green("Welcome – GA"))
        let second = try await venue.scan(try venue.ticket("T-2", ["zoneId": "VIP"]), at: desk)
        XCTAssertEqual(second.reasons, [.wrongZone])
        XCTAssertEqual(desk.light, .red("Another zone: VIP"))
        let report = await desk.sync()
        XCTAssertEqual(report?.delivered, 2)
        let sent = venue.backEnd.batches.flatMap { $0 }
        XCTAssertEqual(sent.map(\.ticketID), ["T-1", "T-2"])
        XCTAssertEqual(sent.map(\.reasons), [[], [.wrongZone]])
        await desk.stop()
    }

    /// At least six denials, each with a clear code.
    func testSixKindsOfDenial() async throws {
        let desk = venue.desk()
        await desk.start()
        let forger = try OpenSSLSigner()
        let used = try venue.ticket("T-1")
        let accepted = try await venue.scan(used, at: desk)
        XCTAssertTrue(accepted.isAccepted)
        let denials: [(String, DenialCode)] = [
            (try venue.ticket("T-2", by: forger), .badSignature),
            (try venue.ticket("T-3", ["validTo": "2026-06-01T17:30:00Z"]), .expired),
            (try venue.ticket("T-4", ["validFrom": "2026-06-01T20:00:00Z"]), .notYetValid),
            (try venue.ticket("T-5", ["zoneId": "VIP"]), .wrongZone),
            (try venue.ticket("T-6", ["eventId": "EV9"]), .unknownEvent),
            (try venue.ticket("T-7", ["keyId": "k9"]), .unknownKey),
            ("https://example.org", .unsupportedFormat), ("eyJ", .malformed),
        ]
        for (text, code) in denials {
            let decision = try await venue.scan(text, at: desk)
            XCTAssertEqual(decision.reason, code)
        }
        venue.clock.advance(by: .seconds(10))  // out of view, and shown again
        let again = try await venue.scan(used, at: desk)
        XCTAssertEqual(again.reason, .alreadyUsed)
        XCTAssertEqual(again.firstGate, "north")
        let report = await desk.sync()
        XCTAssertEqual(report?.delivered, 2 + denials.count, "every attempt is recorded, whatever its decision")
        await desk.stop()
    }

    /// After 500 scans without a network all events are in the queue, and survive a kill and a restart. (A process that
    /// is really killed is `KilledGateTests`'s.)
    func testFiveHundredScansSurviveAKill() async throws {
        let desk = venue.desk()
        await desk.start()
        for index in 0..<500 {
            let decision = try await venue.scan(try venue.ticket("T-\(index)"), at: desk, frames: 2)
            XCTAssertTrue(decision.isAccepted)
            XCTAssertTrue(decision.isRecorded, "recorded before the light is green")
        }
        // What is on disk at this instant is what a killed process leaves behind.
        try FileManager.default.copyItem(
            at: venue.root.appendingPathComponent("device"),
            to: venue.root.appendingPathComponent("after the kill")
        )
        await desk.stop()
        let restarted = venue.desk(in: "after the kill")
        await restarted.start()
        let again = try await venue.scan(try venue.ticket("T-499"), at: restarted)
        XCTAssertEqual(again.reason, .alreadyUsed)
        let report = await restarted.sync()
        XCTAssertEqual(report?.delivered, 501)
        let sent = venue.backEnd.batches.flatMap { $0 }
        XCTAssertEqual(Set(sent.map(\.scanID)).count, 501)
        XCTAssertEqual(sent.prefix(500).map(\.ticketID), (0..<500).map { "T-\($0)" })
        await restarted.stop()
    }
}
