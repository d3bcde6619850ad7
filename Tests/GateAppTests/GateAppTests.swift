@_spi(StandIn) import AVFoundation
import Foundation
import HoldfastDomain
import HoldfastInMemory
import HoldfastKit
import HoldfastOpenSSL
@_spi(StandIn) import UIKit
import XCTest

@testable import GateApp

@MainActor
final class GateAppTests: XCTestCase {
    private var venue: Venue!

    override func setUp() async throws { venue = try Venue() }

    override func tearDown() async throws { venue.close() }

    /// Acceptance: the sample shows start the scanner, get a result, validate, record, sync.
    func testScannerResultValidateRecordSync() async throws {
        let desk = venue.desk()
        await desk.start()
        let first = try await venue.show(try venue.ticket("T-1"), to: desk)
        let ticket = try XCTUnwrap(first.ticket)
        XCTAssertEqual(
            [ticket.ticketID, ticket.eventID, ticket.zoneID, ticket.issuedAt?.rfc3339, ticket.validTo?.rfc3339],
            ["T-1", "EV1", "GA", "2026-05-01T00:00:00.000Z", "2026-06-01T23:00:00.000Z"]
        )
        XCTAssertEqual(ticket.signature.count, 64)
        XCTAssertEqual(desk.light, .green("Welcome – GA"))
        let second = try await venue.show(try venue.ticket("T-2", ["zoneId": "VIP"]), to: desk)
        XCTAssertEqual(second.reasons, [.wrongZone])
        XCTAssertEqual(desk.light, .red("Another zone: VIP"))
        let report = await desk.sync()
        XCTAssertEqual(report?.delivered, 2)
        let sent = venue.backEnd.batches.flatMap { $0 }
        XCTAssertEqual(sent.map(\.ticketID), ["T-1", "T-2"])
        XCTAssertEqual(sent.map(\.reasons), [[], [.wrongZone]])
        await desk.stop()
    }

    /// Acceptance: at least six denials, each with a clear code.
    func testSixKindsOfDenial() async throws {
        let desk = venue.desk()
        await desk.start()
        let forger = try OpenSSLSigner()
        let used = try venue.ticket("T-1")
        let accepted = try await venue.show(used, to: desk)
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
            let decision = try await venue.show(text, to: desk)
            XCTAssertEqual(decision.reason, code)
        }
        _ = try await venue.show("the last frame before a pause", to: desk, frames: 1)
        venue.clock.advance(by: .seconds(10))  // out of view, and shown again
        let again = try await venue.show(used, to: desk)
        XCTAssertEqual(again.reason, .alreadyUsed)
        XCTAssertEqual(again.firstGate, "north")
        await desk.stop()
    }

    func testACodeInViewFor30FramesASecondIsOneAttempt() async throws {
        let desk = venue.desk()
        await desk.start()
        for index in 0..<10 {
            // Shorter in all than the presence gap, so that a slow reader sees no second showing.
            _ = try await venue.show(try venue.ticket("T-\(index)"), to: desk, frames: 80)
        }
        let report = await desk.sync()
        XCTAssertEqual(report?.delivered, 10, "800 frames")
        await desk.stop()
    }

    /// Acceptance: after 500 scans without a network all events are in the queue, and survive a kill and a restart.
    func testFiveHundredScansSurviveAKill() async throws {
        let desk = venue.desk()
        await desk.start()
        for index in 0..<500 {
            let decision = try await venue.show(try venue.ticket("T-\(index)"), to: desk, frames: 2)
            XCTAssertTrue(decision.isAccepted)
            XCTAssertTrue(decision.isRecorded, "recorded before the light is green")
        }
        // What is on disk at this instant is what a killed process leaves behind.
        try FileManager.default.copyItem(
            at: venue.root.appendingPathComponent("device"),
            to: venue.root.appendingPathComponent("after the kill")
        )
        let restarted = venue.desk(in: "after the kill")
        await restarted.start()
        venue.clock.advance(by: .seconds(10))
        let again = try await venue.show(try venue.ticket("T-499"), to: restarted)
        XCTAssertEqual(again.reason, .alreadyUsed)
        let report = await restarted.sync()
        XCTAssertEqual(report?.delivered, 501)
        let sent = venue.backEnd.batches.flatMap { $0 }
        XCTAssertEqual(Set(sent.map(\.scanID)).count, 501)
        XCTAssertEqual(sent.prefix(500).map(\.ticketID), (0..<500).map { "T-\($0)" })
        await restarted.stop()
        await desk.stop()
    }

    func testWithoutACameraItSaysSo() async {
        StandInCamera.current.types = []
        let desk = venue.desk()
        await desk.start()
        XCTAssertEqual(desk.light, .off("No camera"))
        await desk.stop()
    }

    func testAnInterruptedCameraGoesOnByItself() async throws {
        let desk = venue.desk()
        await desk.start()
        _ = try await venue.show(try venue.ticket("T-1"), to: desk)
        StandInCamera.current.interrupt(.videoDeviceInUseByAnotherClient)
        while desk.scanner.state == .scanning { await Task.yield() }
        StandInCamera.current.endInterruption()
        while desk.scanner.state != .scanning { await Task.yield() }
        let decision = try await venue.show(try venue.ticket("T-2"), to: desk)
        XCTAssertTrue(decision.isAccepted)
        await desk.stop()
    }

    func testWhatCannotBeHandedOverStaysAndGoesLater() async throws {
        let desk = venue.desk()
        await desk.start()
        _ = try await venue.show(try venue.ticket("T-1"), to: desk)
        venue.backEnd.append(.answer(.failed(retryAfter: nil)))
        let failed = await desk.sync()
        XCTAssertEqual(failed?.delivered, 0)
        venue.clock.advance(by: .minutes(10))
        let later = await desk.sync()
        XCTAssertEqual(later?.delivered, 1)
        await desk.stop()
    }

    func testTheScreenShowsThePictureAndTheAnswer() async throws {
        let desk = venue.desk()
        let controller = DeskViewController(desk)
        let view = try XCTUnwrap(controller.view)
        let label = try XCTUnwrap(view.subviews.compactMap { $0 as? UILabel }.first)
        XCTAssertEqual(label.text, "Starting")
        XCTAssertTrue(view.layer.sublayers?.first is AVCaptureVideoPreviewLayer)
        controller.viewDidAppear(false)
        while desk.scanner.state != .scanning { await Task.yield() }
        _ = try await venue.show(try venue.ticket("T-1"), to: desk)
        XCTAssertEqual(label.backgroundColor, .systemGreen)
        controller.viewWillDisappear(false)
        while desk.light != .off("Stopped") { await Task.yield() }
        XCTAssertEqual(label.text, "Stopped")
    }
}
