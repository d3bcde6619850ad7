import HoldfastDomain
import HoldfastInMemory
import XCTest

final class ManualClockTests: XCTestCase {
    func testStandsStillUntilAdvanced() {
        let clock = ManualClock()
        let start = clock.now()
        XCTAssertEqual(clock.now(), start)
        clock.advance(by: .seconds(3))
        XCTAssertEqual(clock.now().wall - start.wall, .seconds(3))
        XCTAssertEqual(clock.now().uptime - start.uptime, .seconds(3))
        clock.advance(by: .seconds(-9))
        XCTAssertEqual(clock.now().wall - start.wall, .seconds(3))
    }

    func testSettingTheWallLeavesUptime() {
        let clock = ManualClock()
        let start = clock.now()
        clock.setWall(start.wall - .hours(1))
        XCTAssertEqual(clock.now(), ClockReading(wall: start.wall - .hours(1), uptime: start.uptime, boot: start.boot))
    }

    func testRebootCountsAnew() {
        let clock = ManualClock()
        let start = clock.now()
        clock.reboot(after: .seconds(40))
        XCTAssertEqual(clock.now().uptime, .zero)
        XCTAssertEqual(clock.now().wall - start.wall, .seconds(40))
        XCTAssertNotEqual(clock.now().boot, start.boot)
    }

    func testExtremesDoNotTrap() {
        let clock = ManualClock(wall: .distantFuture, uptime: Interval(milliseconds: .max))
        clock.advance(by: Interval(milliseconds: .max))
        XCTAssertEqual(clock.now().wall, .distantFuture)
    }
}
