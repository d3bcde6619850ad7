import HoldfastDomain
import XCTest

final class RFC3339Tests: XCTestCase {
    func testReadsMomentsToTheMillisecond() {
        let cases: [(String, Int64)] = [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
            ("1985-04-12T23:20:50.52Z", 482_196_050_520), ("1996-12-19T16:39:57-08:00", 851_042_397_000),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2026-05-01T18:30:00.25+03:00", 1_777_649_400_250), ("2026-05-01t15:30:00.250z", 1_777_649_400_250),
            ("2026-05-01T15:30:00.2509999999999999999999999Z", 1_777_649_400_250),
            ("1969-12-31T23:59:59.9999Z", -1), ("1969-12-31T23:59:59.0009Z", -1000),
            ("2026-05-01T15:30:00-00:00", 1_777_649_400_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ]
        for (text, milliseconds) in cases {
            XCTAssertEqual(Timestamp(rfc3339: text)?.milliseconds, milliseconds, text)
        }
    }

    func testALeapSecondIsTheLastMillisecondOfItsDay() {
        let last: Int64 = 915_148_799_999
        XCTAssertEqual(Timestamp(rfc3339: "1998-12-31T23:59:60Z")?.milliseconds, last)
        XCTAssertEqual(Timestamp(rfc3339: "1998-12-31T15:59:60.5-08:00")?.milliseconds, last)
        XCTAssertEqual(Timestamp(rfc3339: "1999-01-01T02:59:60+03:00")?.milliseconds, last)
        for text in [
            "1998-12-31T23:59:61Z", "1998-12-31T22:59:60Z", "1998-12-31T23:58:60Z", "1998-12-30T23:59:60Z",
            "1999-01-01T23:59:60+03:00",
        ] {
            XCTAssertNil(Timestamp(rfc3339: text), text)
        }
    }

    func testRefusesEverythingElse() {
        for text in [
            "", "2026-05-01", "2026-05-01T15:30:00", "2026-05-01 15:30:00Z", "2026-05-01T15:30Z",
            "2026-05-01T15:30:00.Z",
            "2026-05-01T15:30:00,5Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-02-30T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-05-00T00:00:00Z",
            "2026-05-32T00:00:00Z", "2026-05-01T24:00:00Z", "2026-05-01T15:60:00Z", "2026-05-01T15:30:00+24:00",
            "2026-05-01T15:30:00+03:60", "2026-05-01T15:30:00+03", "2026-05-01T15:30:00+0300",
            "2026-05-01T15:30:00+03:00Z",
            "+2026-05-01T15:30:00Z", "12026-05-01T15:30:00Z", "-026-05-01T15:30:00Z", " 2026-05-01T15:30:00Z",
            "2026-05-01T15:30:00Z ", "2026-05-01T15:30:00Z\n", "2026-05-01T15:30:00Z\0", "2026-05-0১T15:30:00Z",
            "2026-5-1T15:30:00Z", "20260501T153000Z", "2026-W18-5T15:30:00Z", "2026-05-01T15:30:00EST",
        ] {
            XCTAssertNil(Timestamp(rfc3339: text), text)
        }
    }

    func testWritesUTCWithMilliseconds() {
        XCTAssertEqual(Timestamp(milliseconds: 0).rfc3339, "1970-01-01T00:00:00.000Z")
        XCTAssertEqual(Timestamp(milliseconds: -1).rfc3339, "1969-12-31T23:59:59.999Z")
        XCTAssertEqual(Timestamp(milliseconds: 1_777_649_400_250).rfc3339, "2026-05-01T15:30:00.250Z")
        XCTAssertEqual(Timestamp(milliseconds: 951_782_400_007).rfc3339, "2000-02-29T00:00:00.007Z")
        XCTAssertEqual(Timestamp.distantPast.rfc3339, "0000-01-01T00:00:00.000Z")
        XCTAssertEqual(Timestamp.distantFuture.rfc3339, "9999-12-31T23:59:59.999Z")
    }

    func testDaysOfTenThousandYearsComeBackInOrder() {
        var previous = ""
        for day in stride(from: Int64(-719_528), through: 2_932_896, by: 97) {
            let moment = Timestamp(milliseconds: day * 86_400_000 + 43_200_001)
            let text = moment.rfc3339
            XCTAssertEqual(Timestamp(rfc3339: text), moment)
            XCTAssertLessThan(previous, text)
            previous = text
        }
    }

    func testTheDayInUTCIsToldForAnyMoment() {
        XCTAssertEqual(Timestamp(milliseconds: -1).utcDay, CivilDay(year: 1969, month: 12, day: 31))
        XCTAssertEqual(Timestamp(milliseconds: 951_782_400_000).utcDay, CivilDay(year: 2000, month: 2, day: 29))
        XCTAssertEqual(Timestamp.distantFuture.utcDay, CivilDay(year: 292_278_994, month: 8, day: 17))
        XCTAssertEqual(Timestamp.distantPast.utcDay.year, -292_275_055)
    }

    func testVectorsOfOthers() throws {
        let suites = try JSONValue.parse(try Vectors.bytes("time", "jsonschema_date-time.json"))
        var count = 0
        for test in try XCTUnwrap(suites.arrayValue).flatMap({ $0["tests"]?.arrayValue ?? [] }) {
            guard let text = test["data"]?.stringValue, let isValid = test["valid"]?.boolValue else { continue }
            XCTAssertEqual(Timestamp(rfc3339: text) != nil, isValid, test["description"]?.stringValue ?? text)
            count += 1
        }
        XCTAssertGreaterThan(count, 20)
    }
}
