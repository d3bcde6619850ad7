import HoldfastDomain
import XCTest

final class HTTPDateTests: XCTestCase {
    private let now = Timestamp(rfc3339: "2019-06-03T11:00:00Z") ?? .distantPast

    private func date(_ text: String, now: String = "2019-06-03T11:00:00Z") throws -> String? {
        HTTPDate.parse(text, now: try XCTUnwrap(Timestamp(rfc3339: now)))?.rfc3339
    }

    func testAllThreeFormsAreTheSameMoment() throws {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 6 Nov 1994 08:49:37 UTC", "Sunday, 6-Nov-94 08:49:37 UTC", "Sun Nov 06 08:49:37 1994",
        ] {
            XCTAssertEqual(try date(text), "1994-11-06T08:49:37.000Z", text)
        }
    }

    func testTwoDigitsAreNeverMoreThanFiftyYearsAhead() throws {
        let cases = [
            ("2026-05-01T00:00:00Z", "76", 2076), ("2026-11-30T00:00:00Z", "76", 2076),
            ("2026-05-01T00:00:00Z", "77", 1977),
            ("2026-05-01T00:00:00Z", "26", 2026), ("2026-05-01T00:00:00Z", "00", 2000),
            ("2090-05-01T00:00:00Z", "05", 2105),
            ("1994-11-06T08:00:00Z", "94", 1994),
        ]
        for (now, year, expected) in cases {
            XCTAssertEqual(
                try date("Friday, 01-May-\(year) 00:00:00 GMT", now: now),
                "\(expected)-05-01T00:00:00.000Z",
                now
            )
        }
        XCTAssertEqual(
            try date("Friday, 01-May-76 00:00:01 GMT", now: "2026-05-01T00:00:00Z"),
            "1976-05-01T00:00:01.000Z"
        )
        XCTAssertEqual(
            try date("Sunday, 29-Feb-76 00:00:00 GMT", now: "2026-02-27T00:00:00Z"),
            "1976-02-29T00:00:00.000Z"
        )
        XCTAssertNotNil(HTTPDate.parse("Friday, 01-May-76 00:00:00 GMT", now: .distantPast))
        XCTAssertNil(HTTPDate.parse("Friday, 01-May-40 00:00:00 GMT", now: .distantFuture))
    }

    func testRefusesEverythingElse() {
        for text in [
            "", "Sun", "Sun, ", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 EST",
            "sun, 06 nov 1994 08:49:37 gmt",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov 10 08:00:00 1000",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 006 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
            " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "1994-11-06T08:49:37Z",
        ] {
            XCTAssertNil(HTTPDate.parse(text, now: now), text)
        }
    }

    func testRetryAfterIsSecondsOrADate() {
        let cases: [([String], Interval?)] = [
            (["0"], .zero), (["120"], .seconds(120)), (["\t42 "], .seconds(42)), (["007"], .seconds(7)),
            (["86400"], .hours(24)), (["86401"], .hours(24)), (["99999999999999999999999999"], .hours(24)),
            (["Mon, 3 Jun 2019 12:00:00 UTC"], .hours(1)), (["Mon, 03 Jun 2019 10:00:00 GMT"], .zero),
            (["Thu, 03 Jun 2049 10:00:00 GMT"], .hours(24)), (["5", "5"], .seconds(5)), (["5, 5"], .seconds(5)),
            (["120", "Mon, 03 Jun 2019 11:02:00 GMT"], .seconds(120)), ([], nil), ([""], nil), ([" "], nil),
            (["-1"], nil),
            (["+1"], nil), (["1.0"], nil), (["1e3"], nil), (["²"], nil), (["１"], nil), (["5", "6"], nil),
            (["5, 6"], nil),
            (["5,"], nil), ([","], nil), (["5 5"], nil), (["soon"], nil), (["5", "soon"], nil), (["Infinity"], nil),
            (["0x10"], nil), (["120\0"], nil),
        ]
        for (values, wait) in cases { XCTAssertEqual(RetryAfter.parse(values: values, now: now), wait, "\(values)") }
        XCTAssertEqual(RetryAfter.parse(values: ["Mon, 03 Jun 2019 10:00:00 GMT"], now: .distantFuture), .zero)
        XCTAssertEqual(RetryAfter.parse(values: ["Mon, 03 Jun 2019 10:00:00 GMT"], now: .distantPast), .hours(24))
    }

    func testVectorsOfOthers() throws {
        let dates = try JSONValue.parse(try Vectors.bytes("http", "pyfisch_httpdate.json"))
        for vector in try XCTUnwrap(dates.arrayValue) {
            let text = try XCTUnwrap(vector["value"]?.stringValue)
            XCTAssertEqual(HTTPDate.parse(text, now: now) != nil, vector["valid"]?.boolValue, text)
        }
        let waits = try JSONValue.parse(try Vectors.bytes("http", "urllib3_retry_after.json"))
        for vector in try XCTUnwrap(waits["cases"]?.arrayValue) {
            let text = try XCTUnwrap(vector["value"]?.stringValue)
            let now = vector["now"]?.stringValue.flatMap(Timestamp.init(rfc3339:)) ?? self.now
            let expected = vector["seconds"]?.integerValue.map(Interval.seconds)
            XCTAssertEqual(RetryAfter.parse(values: [text], now: now), expected, text)
        }
    }
}
