import HoldfastDomain
import HoldfastInMemory
import XCTest

final class FixedCalendarTests: XCTestCase {
    private let calendar = FixedCalendar(["UTC": .zero, "Europe/Kyiv": .hours(3)])

    func testDaysAtTheirEdges() {
        // Seconds from `date -u +%s`.
        let days: [(Int64, CivilDay)] = [
            (0, CivilDay(year: 1970, month: 1, day: 1)), (-1, CivilDay(year: 1969, month: 12, day: 31)),
            (951_782_399, CivilDay(year: 2000, month: 2, day: 28)),
            (951_782_400, CivilDay(year: 2000, month: 2, day: 29)),
            (951_868_800, CivilDay(year: 2000, month: 3, day: 1)),
            (4_107_542_400, CivilDay(year: 2100, month: 3, day: 1)),
            (-2_203_977_600, CivilDay(year: 1900, month: 2, day: 28)),
            (-2_203_891_200, CivilDay(year: 1900, month: 3, day: 1)),
        ]
        for (seconds, day) in days {
            XCTAssertEqual(calendar.day(of: Timestamp(milliseconds: seconds * 1000), in: "UTC"), day)
        }
    }

    func testTheZoneDecides() {
        let late = Timestamp(milliseconds: 1_777_593_600_000 - 1)
        XCTAssertEqual(calendar.day(of: late, in: "UTC"), CivilDay(year: 2026, month: 4, day: 30))
        XCTAssertEqual(calendar.day(of: late, in: "Europe/Kyiv"), CivilDay(year: 2026, month: 5, day: 1))
        XCTAssertNil(calendar.day(of: late, in: "Europe/Atlantis"))
    }

    func testExtremesDoNotTrap() {
        XCTAssertNotNil(calendar.day(of: .distantPast, in: "UTC"))
        XCTAssertNotNil(calendar.day(of: .distantFuture, in: "Europe/Kyiv"))
    }
}
