@_spi(StandIn) import AVFoundation
import AppleDevice
import HoldfastDomain
import HoldfastInMemory
import HoldfastKit
@_spi(StandIn) import Security
@_spi(StandIn) import UIKit
import XCTest

@testable import GateApp

@MainActor
final class GateAppTests: XCTestCase {
    private var venue: Venue!

    override func setUp() async throws { venue = try Venue() }

    override func tearDown() async throws { venue.close() }

    func testACodeInViewFor30FramesASecondIsOneAttempt() async throws {
        let desk = venue.desk()
        await desk.start()
        for index in 0..<10 {
            let decisions = try await venue.show(try venue.ticket("T-\(index)"), to: desk, frames: 90)
            XCTAssertEqual(decisions.map(\.isRepeat), [false] + Array(repeating: true, count: 89))
            XCTAssertEqual(Set(decisions.map(\.scanID)).count, 1)
            XCTAssertTrue(decisions.allSatisfy(\.isAccepted), "a code that stays in view has not been used before")
        }
        let report = await desk.sync()
        XCTAssertEqual(report?.delivered, 10, "900 frames")
        await desk.stop()
    }

    func testWithoutACameraItSaysSo() async {
        StandInCamera.current.types = []
        let desk = venue.desk()
        await desk.start()
        XCTAssertEqual(desk.light, .off("No camera"))
        await desk.stop()
    }

    /// The app's return to the foreground and the screen's appearance both open it.
    func testOpenedFromTwoPlacesAtOnceItIsOneGate() async throws {
        let desk = venue.desk()
        var lights: [GateDesk.Light] = []
        desk.onChange = { lights.append($0) }
        let opened = Task { await desk.open() }
        await Task.yield()
        await desk.start()
        await opened.value
        XCTAssertEqual(lights, [.off("Ready")])
        let decision = try await venue.scan(try venue.ticket("T-1"), at: desk)
        XCTAssertTrue(decision.isAccepted)
        await desk.stop()
    }

    func testBeforeTheFirstUnlockItSaysSoAndOpensAfterwards() async throws {
        AppleDevice.current.lockState = .beforeFirstUnlock
        let desk = venue.desk()
        await desk.start()
        guard case .off(let text) = desk.light else { return XCTFail("\(desk.light)") }
        XCTAssertTrue(text.hasPrefix("The gate cannot be opened"), text)
        XCTAssertEqual(Keychain.current.items, [], "no key is made")
        AppleDevice.current.lockState = .unlocked
        await desk.start()
        XCTAssertEqual(desk.light, .off("Ready"))
        let decision = try await venue.scan(try venue.ticket("T-1"), at: desk)
        XCTAssertTrue(decision.isAccepted)
        await desk.stop()
    }

    func testWithoutPermissionItSaysWhereToGiveIt() async throws {
        StandInCamera.current.authorization = .notDetermined
        StandInCamera.current.willPermit = false
        let desk = venue.desk()
        await desk.start()
        XCTAssertEqual(desk.light, .off("Allow the camera in Settings"))
        XCTAssertEqual(StandInCamera.current.show("T"), 0, "the camera is off")
        await desk.stop()
        StandInCamera.current.authorization = .authorized
        await desk.start()
        let decision = try await venue.scan(try venue.ticket("T-1"), at: desk)
        XCTAssertTrue(decision.isAccepted)
        await desk.stop()
    }

    func testAnInterruptedCameraGoesOnByItself() async throws {
        let desk = venue.desk()
        await desk.start()
        _ = try await venue.scan(try venue.ticket("T-1"), at: desk)
        StandInCamera.current.interrupt(.videoDeviceInUseByAnotherClient)
        try await desk.scanner(is: .interrupted(.inUse))
        XCTAssertEqual(StandInCamera.current.show("T"), 0, "no frames come")
        StandInCamera.current.endInterruption()
        try await desk.scanner(is: .scanning)
        let decision = try await venue.scan(try venue.ticket("T-2"), at: desk)
        XCTAssertTrue(decision.isAccepted)
        await desk.stop()
    }

    func testWhatCannotBeHandedOverStaysAndGoesLater() async throws {
        let desk = venue.desk()
        await desk.start()
        _ = try await venue.scan(try venue.ticket("T-1"), at: desk)
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
        try await desk.scanner(is: .scanning)
        UINotificationFeedbackGenerator.felt = []
        _ = try await venue.scan(try venue.ticket("T-1"), at: desk)
        XCTAssertEqual(label.backgroundColor, .systemGreen)
        _ = try await venue.scan("no ticket", at: desk)
        XCTAssertEqual(label.backgroundColor, .systemRed)
        XCTAssertEqual(UINotificationFeedbackGenerator.felt, [.success, .error], "once for each code")
        controller.viewWillDisappear(false)
        try await desk.light(is: .off("Stopped"))
        XCTAssertEqual(label.text, "Stopped")
    }
}
