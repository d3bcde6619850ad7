import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class ScannerMachineTests: XCTestCase {
    private func running() -> ScannerMachine {
        var machine = ScannerMachine()
        XCTAssertEqual(machine.start(.given, hasUsageDescription: true), .setUp)
        XCTAssertEqual(machine.setUp(.done), .run)
        machine.started()
        XCTAssertEqual(machine.state, .scanning)
        return machine
    }

    func testAsksOnceThenSetsUpThenRuns() {
        var machine = ScannerMachine()
        XCTAssertEqual(machine.start(.notAsked, hasUsageDescription: true), .ask)
        XCTAssertEqual(machine.state, .starting)
        XCTAssertFalse(machine.isReading)
        XCTAssertEqual(machine.answered(isPermitted: true), .setUp)
        XCTAssertEqual(machine.setUp(.done), .run)
        machine.started()
        XCTAssertTrue(machine.isReading)
        XCTAssertEqual(machine.start(.given, hasUsageDescription: true), .nothing, "it runs already")
    }

    func testEachRefusalIsAStateAndCanBeTriedAgain() {
        var machine = ScannerMachine()
        XCTAssertEqual(machine.start(.denied, hasUsageDescription: true), .nothing)
        XCTAssertEqual(machine.state, .notPermitted)
        XCTAssertEqual(machine.start(.restricted, hasUsageDescription: true), .nothing)
        XCTAssertEqual(machine.state, .restricted)
        XCTAssertEqual(machine.start(.given, hasUsageDescription: false), .nothing)
        XCTAssertEqual(machine.state, .missingUsageDescription)
        XCTAssertEqual(machine.start(.notAsked, hasUsageDescription: true), .ask)
        XCTAssertEqual(machine.answered(isPermitted: false), .nothing)
        XCTAssertEqual(machine.state, .notPermitted)
        XCTAssertEqual(machine.start(.given, hasUsageDescription: true), .setUp)
        XCTAssertEqual(machine.setUp(.noCamera), .nothing)
        XCTAssertEqual(machine.state, .noCamera)
        XCTAssertEqual(machine.start(.given, hasUsageDescription: true), .setUp)
        XCTAssertEqual(machine.setUp(.failed(-11814)), .nothing)
        XCTAssertEqual(machine.state, .failed(-11814))
    }

    func testStoppedWhileThePersonIsAskedItStaysStopped() {
        var machine = ScannerMachine()
        _ = machine.start(.notAsked, hasUsageDescription: true)
        XCTAssertEqual(machine.stop(), .nothing, "there is nothing to stop yet")
        XCTAssertEqual(machine.answered(isPermitted: true), .nothing)
        XCTAssertEqual(machine.state, .stopped)
    }

    func testAnInterruptionEndsByItself() {
        var machine = running()
        XCTAssertEqual(machine.interrupted(.inUse), .nothing)
        XCTAssertEqual(machine.state, .interrupted(.inUse))
        XCTAssertFalse(machine.isReading)
        XCTAssertEqual(machine.interruptionEnded(), .run)
        machine.started()
        XCTAssertEqual(machine.state, .scanning)
    }

    func testStoppedWhileInterruptedItStaysStopped() {
        var machine = running()
        _ = machine.interrupted(.inBackground)
        XCTAssertEqual(machine.stop(), .halt)
        XCTAssertEqual(machine.interruptionEnded(), .nothing)
        XCTAssertEqual(machine.state, .stopped)
    }

    func testStartedWhileInterruptedItSaysSo() {
        var machine = running()
        _ = machine.stop()
        _ = machine.interrupted(.inBackground)
        XCTAssertEqual(machine.state, .stopped)
        XCTAssertEqual(machine.start(.given, hasUsageDescription: true), .run)
        machine.started()
        XCTAssertEqual(machine.state, .interrupted(.inBackground))
        XCTAssertEqual(machine.interruptionEnded(), .run)
    }

    func testAResetOfMediaServicesStartsAnewAndOtherFailuresStop() {
        var machine = running()
        XCTAssertEqual(machine.failed(ScannerMachine.mediaServicesWereReset), .run)
        machine.started()
        XCTAssertEqual(machine.state, .scanning)
        XCTAssertEqual(machine.failed(-11800), .nothing)
        XCTAssertEqual(machine.state, .failed(-11800))
        XCTAssertEqual(machine.failed(ScannerMachine.mediaServicesWereReset), .nothing, "nobody wants it any more")
        XCTAssertEqual(machine.start(.given, hasUsageDescription: true), .run, "it is set up already")
    }

    func testNumbersOfTheSystemHaveTheirMeaning() {
        XCTAssertEqual(
            (-1...4).map(CameraPermission.init(status:)),
            [.denied, .notAsked, .restricted, .denied, .given, .denied]
        )
        XCTAssertEqual(
            (0...6).map(ScannerState.Interruption.init(reason:)),
            [.other(0), .inBackground, .other(2), .inUse, .sharedScreen, .systemPressure, .other(6)]
        )
    }

    func testARegionStaysInThePicture() {
        let regions: [(ScanRegion, [Double])] = [
            (ScanRegion(x: 0.25, y: 0.25, width: 0.5, height: 0.5), [0.25, 0.25, 0.5, 0.5]),
            (ScanRegion(x: -1, y: 0.5, width: 4, height: 4), [0, 0.5, 1, 0.5]),
            (ScanRegion(x: 2, y: 0, width: 1, height: 1), [0, 0, 1, 1]),
            (ScanRegion(x: 0, y: 0, width: 0, height: 1), [0, 0, 1, 1]),
            (ScanRegion(x: .nan, y: 0, width: 1, height: 1), [0, 0, 1, 1]),
            (ScanRegion(x: 0, y: 0, width: .infinity, height: 1), [0, 0, 1, 1]),
        ]
        for (region, expected) in regions {
            XCTAssertEqual([region.x, region.y, region.width, region.height], expected)
        }
    }
}
