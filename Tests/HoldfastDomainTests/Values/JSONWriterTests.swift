import HoldfastDomain
import XCTest

final class JSONWriterTests: XCTestCase {
    private func text(_ value: JSONValue) throws -> String { String(decoding: try value.encoded(), as: UTF8.self) }

    func testIsCompactAndKeepsOrder() throws {
        let value: JSONValue = ["z": [1, "two", nil, true, false, 2.5], "a": [:], "b": []]
        XCTAssertEqual(try text(value), #"{"z":[1,"two",null,true,false,2.5],"a":{},"b":[]}"#)
    }

    func testWholeNumbersKeepTheirDigits() throws {
        for digits in ["9007199254740993", "-9223372036854775808", "9223372036854775807", "18446744073709551615"] {
            XCTAssertEqual(try text(JSONValue.parse(digits)), digits)
        }
    }

    func testDoublesReadBackAsThemselves() throws {
        for number in [
            1, -0.0, 0.1, 1e20, 1e21, 1e-5, 1e-7, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0x1p54,
            .leastNormalMagnitude, 123_456_789.125,
        ] as [Double] {
            let written = try JSONValue.double(number).encoded()
            XCTAssertEqual(try JSONValue.parse(written), .double(number), "\(number)")
        }
        XCTAssertEqual(try text(1.0), "1.0")
        XCTAssertEqual(try text(1e20), "1e+20")
    }

    func testOnlyWhatMustBeIsEscaped() throws {
        let all = (0..<0x20).map { String(UnicodeScalar(UInt8($0))) }.joined() + "\"\\/\u{7f}é\u{2028}𝄞"
        let written = try text(.string(all))
        XCTAssertEqual(
            written,
            #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013"#
                + #"\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\"\\/"#
                + "\u{7f}é\u{2028}𝄞\""
        )
        XCTAssertEqual(try JSONValue.parse(written), .string(all))
    }

    func testWhatJSONCannotSayIsRefusedAndLeavesNothingBehind() {
        for number in [Double.nan, .infinity, -.infinity] {
            var bytes = Array("kept".utf8)
            XCTAssertThrowsError(try JSONValue.array([1, .double(number)]).write(into: &bytes)) {
                XCTAssertEqual($0 as? JSONError, JSONError(.numberRange))
            }
            XCTAssertEqual(bytes, Array("kept".utf8))
        }
        var deep: JSONValue = 1
        for _ in 0..<65 { deep = ["in": deep] }
        XCTAssertThrowsError(try deep.encoded()) { XCTAssertEqual($0 as? JSONError, JSONError(.tooDeep)) }
        XCTAssertNoThrow(try deep.encoded(limits: JSONLimits(maxDepth: 65)))
    }

    func testLiteralsKeepTheLastOfANameGivenTwice() throws {
        XCTAssertEqual(try text(["a": 1, "b": 2, "a": 3]), #"{"a":3,"b":2}"#)
    }
}
