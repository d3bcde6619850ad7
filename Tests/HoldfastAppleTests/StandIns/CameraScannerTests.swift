#if canImport(AppleDevice)
@_spi(StandIn) import AVFoundation
import AppleDevice
import HoldfastDomain
import Patience
import XCTest

@testable import HoldfastApple

@MainActor
final class CameraScannerTests: XCTestCase {
    private let camera = StandInCamera.current

    override func setUp() async throws { StandInCamera.current.reset() }

    private func scanner(hasUsageDescription: Bool = true) -> CameraScanner {
        CameraScanner(hasUsageDescription: hasUsageDescription, center: .default)
    }

    func testReadsWhatTheCameraSeesFrameByFrame() async {
        let scanner = scanner()
        let readings = scanner.readings
        let state = await scanner.start()
        XCTAssertEqual(state, .scanning)
        camera.show("A", "B", frames: 2)
        camera.show("C")
        var seen: [ScanReading] = []
        for await reading in readings {
            seen.append(reading)
            if seen.count == 5 { break }
        }
        XCTAssertEqual(seen, ["A", "B", "A", "B", "C"].map { ScanReading($0) })
    }

    func testReadsBytesThatAreNoText() async {
        let scanner = scanner()
        var readings = scanner.readings.makeAsyncIterator()
        await scanner.start()
        let payload = Data([0b0100_0000, 0b0010_1111, 0b1111_0000, 0b0000_0000])  // two bytes: ff 00
        let descriptor = CIQRCodeDescriptor(payload: payload, symbolVersion: 1)
        camera.show([AVMetadataMachineReadableCodeObject(stringValue: nil, descriptor: descriptor)])
        let reading = await readings.next()
        XCTAssertEqual(reading, ScanReading(bytes: [0xff, 0x00]))
    }

    func testAListenerThatLagsHasTheNewestOnly() async {
        let scanner = scanner()
        let readings = scanner.readings
        await scanner.start()
        for index in 0..<1000 { camera.show("\(index)") }
        await scanner.stop()
        camera.show("after")
        await scanner.start()
        camera.show("last")
        var seen: [ScanReading] = []
        for await reading in readings {
            seen.append(reading)
            if reading == ScanReading("last") { break }
        }
        let newest = (992..<1000).map { ScanReading("\($0)") } + [ScanReading("last")]
        XCTAssertEqual(seen, newest.suffix(seen.count), "the last is shown once the listener may have begun to listen")
        XCTAssertGreaterThanOrEqual(seen.count, ReadingFeed.depth)
    }

    func testNothingIsReadBeforeTheStartOrAfterTheStop() async {
        let scanner = scanner()
        var readings = scanner.readings.makeAsyncIterator()
        camera.show("early")
        await scanner.start()
        await scanner.stop()
        camera.show("late")
        XCTAssertEqual(scanner.state, .stopped)
        await scanner.start()
        camera.show("now")
        let reading = await readings.next()
        XCTAssertEqual(reading, ScanReading("now"))
    }

    func testAsksThePersonAndTakesTheirAnswer() async {
        camera.authorization = .notDetermined
        camera.willPermit = false
        let scanner = scanner()
        var state = await scanner.start()
        XCTAssertEqual(state, .notPermitted)
        state = await scanner.start()
        XCTAssertEqual(state, .notPermitted, "nobody is asked twice")
        camera.authorization = .authorized
        state = await scanner.start()
        XCTAssertEqual(state, .scanning)
        await scanner.stop()
        camera.authorization = .denied
        state = await scanner.start()
        XCTAssertEqual(state, .notPermitted, "what was given can be taken back")
        camera.authorization = .restricted
        state = await scanner.start()
        XCTAssertEqual(state, .restricted)
    }

    func testWithoutAUsageDescriptionTheCameraIsNotTouched() async {
        camera.usageDescription = false
        camera.authorization = .notDetermined
        let state = await scanner(hasUsageDescription: false).start()
        XCTAssertEqual(state, .missingUsageDescription)
    }

    func testACameraThatIsAbsentOrTakenOrUselessIsAState() async {
        camera.types = []
        let scanner = scanner()
        var state = await scanner.start()
        XCTAssertEqual(state, .noCamera)
        camera.types = [.builtInWideAngleCamera]
        camera.openingFails = .deviceAlreadyUsedByAnotherSession
        state = await scanner.start()
        XCTAssertEqual(state, .failed(-11804))
        camera.openingFails = nil
        camera.readable = [.face]
        state = await scanner.start()
        XCTAssertEqual(state, .failed(0))
        camera.readable = [.qr]
        state = await scanner.start()
        XCTAssertEqual(state, .scanning)
    }

    func testAnInterruptionShowsAndEndsByItself() async {
        let scanner = scanner()
        var readings = scanner.readings.makeAsyncIterator()
        await scanner.start()
        var states = scanner.states.makeAsyncIterator()
        camera.interrupt(.videoDeviceInUseByAnotherClient)
        var state = await states.next()
        XCTAssertEqual(state, .interrupted(.inUse))
        camera.show("unseen")
        camera.endInterruption()
        while let next = await states.next(), next != .scanning {}
        state = scanner.state
        XCTAssertEqual(state, .scanning)
        camera.show("seen")
        let reading = await readings.next()
        XCTAssertEqual(reading, ScanReading("seen"))
    }

    func testAResetOfMediaServicesIsSurvivedAndAnotherFailureToldOnce() async throws {
        let scanner = scanner()
        var readings = scanner.readings.makeAsyncIterator()
        await scanner.start()
        var states = scanner.states.makeAsyncIterator()
        camera.fail(.mediaServicesWereReset)
        let patience = Patience("the camera runs again, and the scanner says so a moment later")
        while camera.session?.isRunning != true || scanner.state != .scanning { try await patience.yield() }
        camera.show("seen")
        let reading = await readings.next()
        XCTAssertEqual(reading, ScanReading("seen"))
        camera.fail(.deviceNotConnected)
        while let next = await states.next(), next != .failed(-11814) {}
        let state = await scanner.start()
        XCTAssertEqual(state, .scanning)
    }

    func testTheLightAndTheRegion() async throws {
        let scanner = scanner()
        var isAsAsked = await scanner.setTorch(true)
        XCTAssertFalse(isAsAsked, "there is no camera yet")
        await scanner.setRegion(ScanRegion(x: 0.2, y: 0.2, width: 0.6, height: 0.6))
        await scanner.start()
        isAsAsked = await scanner.setTorch(true)
        XCTAssertTrue(isAsAsked)
        XCTAssertTrue(camera.isTorchOn)
        await scanner.stop()
        XCTAssertFalse(camera.isTorchOn)
        await scanner.start()
        camera.hasTorch = false
        isAsAsked = await scanner.setTorch(true)
        XCTAssertFalse(isAsAsked)
        let region = try XCTUnwrap(scanner.session.metadataOutput?.rectOfInterest)
        XCTAssertEqual(
            [region.minX, region.minY, region.width, region.height].map { ($0 * 10).rounded() },
            [2, 2, 6, 6]
        )
    }

    func testManyStartsAndStopsAtOnceEndAsTheLastOneSays() async {
        let scanner = scanner()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask { if index % 2 == 0 { await scanner.start() } else { await scanner.stop() } }
            }
        }
        await scanner.stop()
        XCTAssertEqual(scanner.state, .stopped)
        XCTAssertEqual(camera.session?.isRunning, false)
    }

    func testStreamsEndWithTheScanner() async {
        var scanner: CameraScanner? = scanner()
        await scanner?.start()
        let readings = scanner?.readings
        scanner = nil
        if let readings { for await _ in readings { XCTFail("nothing was shown") } }
    }
}
#endif
