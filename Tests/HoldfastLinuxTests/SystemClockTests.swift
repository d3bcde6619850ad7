import Foundation
import HoldfastDomain
import HoldfastLinux
import XCTest

final class SystemClockTests: XCTestCase {
    func testUptimeNeverGoesBack() {
        let clock = SystemClock()
        var last = clock.now()
        for _ in 0..<10_000 {
            let reading = clock.now()
            XCTAssertGreaterThanOrEqual(reading.uptime, last.uptime)
            last = reading
        }
    }

    func testAgreesWithTheKernelAndFoundation() throws {
        let reading = SystemClock().now()
        XCTAssertEqual(reading.wall.milliseconds, Int64(Date().timeIntervalSince1970 * 1000), accuracy: 5000)
        let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8).split(separator: " ")
        XCTAssertEqual(Double(reading.uptime.milliseconds), try XCTUnwrap(Double(uptime[0])) * 1000, accuracy: 5000)
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        XCTAssertEqual(reading.boot.rawValue + "\n", boot)
        XCTAssertEqual(SystemClock().now().boot, reading.boot)
    }
}
