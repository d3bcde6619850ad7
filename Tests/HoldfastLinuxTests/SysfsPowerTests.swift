import Foundation
import HoldfastConformance
import HoldfastDomain
import HoldfastLinux
import XCTest

final class SysfsPowerTests: XCTestCase {
    private var folder: TemporaryFolder!
    override func setUpWithError() throws { folder = try TemporaryFolder() }
    override func tearDown() { folder = nil }

    private func status() -> PowerStatus { SysfsPower(root: folder.url.path).current() }

    private func setBattery(_ status: String, _ capacity: Int, name: String = "BAT0") throws {
        try folder.write("Battery\n", to: "power_supply/\(name)/type")
        try folder.write(status + "\n", to: "power_supply/\(name)/status")
        try folder.write("\(capacity)\n", to: "power_supply/\(name)/capacity")
    }

    func testADeviceWithoutEitherIsFine() {
        XCTAssertEqual(status(), PowerStatus())
        XCTAssertEqual(SysfsPower(root: "/nowhere").current(), PowerStatus())
    }

    func testABatteryIsLowWhenItEmpties() throws {
        for (state, capacity, isLow) in [
            ("Discharging", 21, false), ("Discharging", 20, true), ("Charging", 5, false), ("Full", 100, false),
        ] {
            try setBattery(state, capacity)
            XCTAssertEqual(status().isLowPower, isLow, "\(state) at \(capacity)")
        }
        try setBattery("Discharging", 5)
        try folder.write("Mains\n", to: "power_supply/AC/type")
        try folder.write("1\n", to: "power_supply/AC/online")
        XCTAssertFalse(status().isLowPower, "it is plugged in")
        try folder.write("0\n", to: "power_supply/AC/online")
        XCTAssertTrue(status().isLowPower)
    }

    func testTheBatteryOfAMouseDoesNotCount() throws {
        try setBattery("Discharging", 3, name: "hid-mouse")
        try folder.write("Device\n", to: "power_supply/hid-mouse/scope")
        XCTAssertFalse(status().isLowPower)
    }

    func testAZoneIsHotFromTheFirstPointThatSlowsDown() throws {
        try folder.write("59999\n", to: "thermal/thermal_zone0/temp")
        for (point, kind, limit) in [(0, "active", 30000), (1, "passive", 60000), (2, "critical", 90000)] {
            try folder.write("\(kind)\n", to: "thermal/thermal_zone0/trip_point_\(point)_type")
            try folder.write("\(limit)\n", to: "thermal/thermal_zone0/trip_point_\(point)_temp")
        }
        XCTAssertFalse(status().isUnderThermalPressure)
        try folder.write("60000\n", to: "thermal/thermal_zone0/temp")
        XCTAssertTrue(status().isUnderThermalPressure)
    }

    func testNonsenseIsIgnored() throws {
        try folder.write("Battery", to: "power_supply/BAT0/type")
        try folder.write("Discharging", to: "power_supply/BAT0/status")
        try folder.write("99999999999999999999", to: "power_supply/BAT0/capacity")
        try folder.write("hot", to: "thermal/thermal_zone0/temp")
        // Drivers without a point of that kind say 0, or less.
        try folder.write("40000", to: "thermal/thermal_zone1/temp")
        try folder.write("passive", to: "thermal/thermal_zone1/trip_point_0_type")
        for point in ["0", "-274000"] {
            try folder.write(point, to: "thermal/thermal_zone1/trip_point_0_temp")
            XCTAssertEqual(status(), PowerStatus())
        }
    }

    func testKeepsThePromises() async {
        let broken = await Conformance.powerMonitor.run {
            let folder = try TemporaryFolder()
            try folder.write("Battery\n", to: "power_supply/BAT0/type")
            try folder.write("Discharging\n", to: "power_supply/BAT0/status")
            try folder.write("80\n", to: "power_supply/BAT0/capacity")
            let power = SysfsPower(root: folder.url.path, interval: .milliseconds(2))
            return Conformance.StatusSubject(power) {
                try folder.write(power.current().isLowPower ? "80\n" : "5\n", to: "power_supply/BAT0/capacity")
            }
        }
        XCTAssertEqual(broken, [])
    }
}
