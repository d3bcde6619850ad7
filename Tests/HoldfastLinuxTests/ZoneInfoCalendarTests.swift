import Foundation
import HoldfastConformance
import HoldfastDomain
import XCTest

@testable import HoldfastLinux

final class ZoneInfoCalendarTests: XCTestCase {
    func testKeepsThePromises() async {
        let broken = await Conformance.civilCalendar.run { ZoneInfoCalendar() }
        XCTAssertEqual(broken, [])
    }

    func testKnowsTheZones() async {
        let broken = await Conformance.civilCalendarZones.run { ZoneInfoCalendar() }
        XCTAssertEqual(broken, [])
    }

    func testAgreesWithFoundationInEveryZone() throws {
        // Twice a month from 1972 to 2060, at odd times, and just before and after Foundation's changes of 2026.
        let moments = stride(from: 63_072_000, to: 2_840_140_800, by: 1_296_000 + 1234).map { Int64($0) }
        var checked = 0
        for name in TimeZone.knownTimeZoneIdentifiers where name != "GMT" {
            guard let zone = TimeZone(identifier: name),
                let bytes = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)")
            else { continue }
            let file = try XCTUnwrap(TimeZoneFile(Array(bytes)), name)
            let changes = Self.changes(of: zone, in: 1_767_225_600..<1_798_761_600)
            let wrong = (moments + changes).filter {
                file.offset(at: $0) != Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))))
            }
            XCTAssertEqual(wrong, [], name)
            checked += 1
        }
        try XCTSkipIf(checked == 0, "this system has no time zone database")
        XCTAssertGreaterThan(checked, 300)
    }

    private static func changes(of zone: TimeZone, in range: Range<Int64>) -> [Int64] {
        var changes: [Int64] = []
        var date = Date(timeIntervalSince1970: Double(range.lowerBound))
        while let next = zone.nextDaylightSavingTimeTransition(after: date) {
            let seconds = Int64(next.timeIntervalSince1970)
            guard range.contains(seconds), next > date else { break }
            changes += [seconds - 1, seconds, seconds + 1]
            date = next
        }
        return changes
    }

    func testNamesThatLeadElsewhereAreUnknown() {
        let calendar = ZoneInfoCalendar()
        for name in [
            "/etc/localtime", "../zoneinfo/UTC", "Europe/../UTC", "Europe//Kyiv", "right/UTC", "zone.tab", "Europe/",
        ] {
            XCTAssertNil(calendar.day(of: Timestamp(milliseconds: 0), in: name), name)
        }
        XCTAssertNil(ZoneInfoCalendar(directory: "/nowhere").day(of: Timestamp(milliseconds: 0), in: "Europe/Kyiv"))
        XCTAssertNotNil(ZoneInfoCalendar(directory: "/nowhere").day(of: Timestamp(milliseconds: 0), in: "UTC"))
    }

    func testADamagedFileNeverTraps() throws {
        let bytes = Array(try XCTUnwrap(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Kyiv")))
        for count in 0..<bytes.count { _ = TimeZoneFile(Array(bytes.prefix(count)))?.offset(at: 2_000_000_000) }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0xff
            let file = TimeZoneFile(changed)
            for moment in [Int64.min, -1, 0, 2_000_000_000, .max] { _ = file?.offset(at: moment) }
        }
    }

    func testRules() throws {
        // Julian days, the southern half, minutes, quoted names; moments by `TZ=… date -d`.
        let rules: [(String, Int64, Int64)] = [
            ("UTC0", 0, 0), ("<+0545>-5:45", 0, 20_700), ("EST5EDT,M3.2.0,M11.1.0", 1_767_225_600, -18_000),
            ("EST5EDT,M3.2.0,M11.1.0", 1_782_878_400, -14_400), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_767_225_600, 39_600),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_782_878_400, 36_000), ("AAA3BBB,J60,J300", 1_709_251_200, -10_800),
            ("AAA3BBB,J60,J300", 1_709_280_000, -7200), ("AAA3BBB,59,300/-1", 1_709_193_600, -7200),
        ]
        for (text, moment, offset) in rules {
            XCTAssertEqual(try XCTUnwrap(TimeZoneRule(text), text).offset(at: moment), offset, "\(text) at \(moment)")
        }
        for text in [
            "", "U", "UTC", "UTC0X", "EST5EDT", "EST5EDT,M13.1.0,M11.1.0", "EST5EDT,M3.2.0", "EST999", "<+03-3",
        ] {
            XCTAssertNil(TimeZoneRule(text), text)
        }
    }
}
