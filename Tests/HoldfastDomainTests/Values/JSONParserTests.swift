import HoldfastDomain
import XCTest

final class JSONParserTests: XCTestCase {
    private func fault(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONError? {
        fault(Array(text.utf8), limits: limits)
    }

    private func fault(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError? {
        do {
            _ = try JSONValue.parse(bytes, limits: limits)
            return nil
        } catch {
            return error as? JSONError
        }
    }

    func testValuesKeepTheirKindAndOrder() throws {
        let value = try JSONValue.parse(#" { "b" : [ 1 , -2.5, true,false , null ] , "a":"x", "":{}, "e":[] } "#)
        XCTAssertEqual(value, ["b": [1, -2.5, true, false, nil], "a": "x", "": [:], "e": []])
        XCTAssertEqual(value.objectValue?.members.map(\.name), ["b", "a", "", "e"])
        XCTAssertEqual(value["b"]?.arrayValue?.first?.integerValue, 1)
        XCTAssertEqual(value["a"]?.stringValue, "x")
        XCTAssertNil(value["c"])
    }

    func testWholeNumbersKeepTheirDigitsOrAreRefused() throws {
        XCTAssertEqual(try JSONValue.parse("9007199254740993"), .integer(9_007_199_254_740_993))
        XCTAssertEqual(try JSONValue.parse("-9223372036854775808"), .integer(.min))
        XCTAssertEqual(try JSONValue.parse("9223372036854775807"), .integer(.max))
        XCTAssertEqual(try JSONValue.parse("9223372036854775808"), .unsigned(9_223_372_036_854_775_808))
        XCTAssertEqual(try JSONValue.parse("18446744073709551615"), .unsigned(.max))
        XCTAssertEqual(try JSONValue.parse("-0"), .integer(0))
        for text in ["18446744073709551616", "-9223372036854775809", "100000000000000000000", "-18446744073709551615"] {
            XCTAssertEqual(fault(text), JSONError(.numberRange, offset: 0), text)
        }
    }

    func testOtherNumbersAreTheNearestDouble() throws {
        XCTAssertEqual(try JSONValue.parse("1.0"), .double(1))
        XCTAssertEqual(try JSONValue.parse("-0.0"), .double(-0.0))
        XCTAssertEqual(try JSONValue.parse("1E+2"), .double(100))
        XCTAssertEqual(try JSONValue.parse("5e-324"), .double(.leastNonzeroMagnitude))
        XCTAssertEqual(try JSONValue.parse("1e-400"), .double(0))
        XCTAssertEqual(fault("[1e400]"), JSONError(.numberRange, offset: 1))
        XCTAssertEqual(fault("-1e400"), JSONError(.numberRange, offset: 0))
    }

    func testEscapesAreRead() throws {
        let text = #""\"\\\/\b\f\n\r\tA\u00e9\uD834\udd1eé𝄞""#
        XCTAssertEqual(try JSONValue.parse(text), .string("\"\\/\u{08}\u{0c}\n\r\tAé𝄞é𝄞"))
    }

    func testANameTwiceIsRefusedAtEveryLevelAndInEverySpelling() {
        XCTAssertEqual(fault(#"{"a":1,"a":2}"#), JSONError(.duplicateMember, offset: 7))
        XCTAssertEqual(fault(#"{"zoneId":1,"zone\u0049d":2}"#), JSONError(.duplicateMember, offset: 12))
        XCTAssertEqual(fault(#"[{"x":{"\u0061":1,"b":0,"a":2}}]"#)?.code, .duplicateMember)
        XCTAssertNil(fault(#"{"a":{"a":1},"b":{"a":1}}"#))
        // The same letter composed and decomposed: other bytes, another name.
        XCTAssertNil(fault(#"{"\u00e9":1,"e\u0301":2}"#))
    }

    func testANameTwiceIsNoticedInALargeObjectToo() throws {
        let members = (0..<5000).map { "\"name\($0)\":\($0)" }.joined(separator: ",")
        XCTAssertEqual(try JSONValue.parse("{\(members)}").objectValue?.members.count, 5000)
        XCTAssertEqual(fault("{\(members),\"n\\u0061me7\":0}")?.code, .duplicateMember)
        XCTAssertEqual(fault("{\(members),\"name4999\":0}")?.code, .duplicateMember)
    }

    func testFaultsSayTheirKindAndPlace() {
        let cases: [(String, JSONError.Code, Int)] = [
            ("", .unexpectedEnd, 0), ("[1", .unexpectedEnd, 2), ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2),
            ("tru", .unexpectedEnd, 3), ("[1]x", .unexpectedByte, 3), ("01", .unexpectedByte, 1),
            ("{\"a\" 1}", .unexpectedByte, 5), ("\u{feff}1", .unexpectedByte, 0), ("1\0", .unexpectedByte, 1),
            ("\"\n\"", .controlCharacter, 1), ("\"\0\"", .controlCharacter, 1), (#""\x""#, .invalidEscape, 1),
            (#""\u12g4""#, .invalidEscape, 1), (#""\u12"#, .invalidEscape, 1), (#""\ud800""#, .loneSurrogate, 1),
            (#""\udc00\ud800""#, .loneSurrogate, 1), (#""\ud800\u0041""#, .loneSurrogate, 1),
        ]
        for (text, code, offset) in cases {
            XCTAssertEqual(fault(text), JSONError(code, offset: offset), text)
        }
        XCTAssertEqual(JSONError(.tooDeep, offset: 3).description, "JSON: too_deep at byte 3")
    }

    func testOnlyWellFormedUTF8IsAccepted() {
        let bad: [[UInt8]] = [
            [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xc3], [0xc3, 0x28], [0xe0, 0x9f, 0xbf], [0xe2, 0x82],
            [0xed, 0xa0, 0x80],
            [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x9f, 0x98], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff],
        ]
        for sequence in bad {
            XCTAssertEqual(fault([0x22] + sequence + [0x22]), JSONError(.invalidUTF8, offset: 1), "\(sequence)")
            XCTAssertNotNil(fault([0x22] + sequence))
        }
        for text in [
            "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10000}", "\u{10ffff}",
        ] {
            XCTAssertEqual(try JSONValue.parse("\"\(text)\""), .string(text))
        }
    }

    func testNestingHasALimit() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        XCTAssertNil(fault(nested(64)))
        XCTAssertEqual(fault(nested(65)), JSONError(.tooDeep, offset: 64))
        XCTAssertEqual(fault(nested(600))?.code, .tooDeep)
        XCTAssertNil(fault(nested(8), limits: JSONLimits(maxDepth: 8)))
        XCTAssertEqual(fault(#"{"a":[1]}"#, limits: JSONLimits(maxDepth: 1))?.code, .tooDeep)
        XCTAssertEqual(fault("[]", limits: JSONLimits(maxDepth: -1))?.code, .tooDeep)
        XCTAssertEqual(JSONLimits(maxDepth: .max).maxDepth, 256)
        XCTAssertEqual(
            fault(String(repeating: "[{\"\":", count: 100_000), limits: JSONLimits(maxDepth: .max))?.code,
            .tooDeep
        )
    }

    func testSuiteOfOthers() throws {
        let files = try Vectors.files("json/test_parsing") { $0.hasSuffix(".json") }
        XCTAssertGreaterThan(files.count, 100)
        for (name, bytes) in files {
            let fault = fault(bytes)
            if name.hasPrefix("y_") { XCTAssertNil(fault, name) }
            if name.hasPrefix("n_") { XCTAssertNotNil(fault, name) }
        }
    }
}
