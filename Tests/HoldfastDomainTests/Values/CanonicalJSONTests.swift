import HoldfastDomain
import XCTest

final class CanonicalJSONTests: XCTestCase {
    private func canonical(_ text: String) throws -> String {
        String(decoding: try JSONValue.parse(text).canonical(), as: UTF8.self)
    }

    func testNumbersAreWrittenAsInAppendixB() throws {
        // RFC 8785, appendix B.
        let cases: [(UInt64, String)] = [
            (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"), (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"), (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ]
        for (bits, text) in cases {
            let written = try JSONValue.double(Double(bitPattern: bits)).canonical()
            XCTAssertEqual(String(decoding: written, as: UTF8.self), text)
        }
        for bits in [0x7fff_ffff_ffff_ffff, 0x7ff0_0000_0000_0000] as [UInt64] {
            XCTAssertThrowsError(try JSONValue.double(Double(bitPattern: bits)).canonical()) {
                XCTAssertEqual($0 as? JSONError, JSONError(.numberRange))
            }
        }
    }

    func testOtherSpellingsOfANumberAreOne() throws {
        XCTAssertEqual(
            try canonical(
                "[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, 1e-5, 1.0, -0.0, 100]"
            ),
            "[333333333.3333333,1e+30,4.5,0.002,1e-27,0.00001,1,0,100]"
        )
        XCTAssertEqual(try canonical("1152921504606846976"), "1152921504606847000")
        for text in ["9007199254740993", "18446744073709551615"] {
            XCTAssertThrowsError(try canonical(text)) { XCTAssertEqual($0 as? JSONError, JSONError(.numberRange)) }
        }
    }

    func testNamesAreOrderedByTheirUTF16Units() throws {
        // RFC 8785, section 3.2.3: the surrogates of an emoji come before U+FB33.
        let text = #"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#
        XCTAssertEqual(
            try canonical(text),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
        )
    }

    func testStringsAreEscapedOnlyWhereTheyMustBe() throws {
        // RFC 8785, section 3.2.2.2. Composed and decomposed letters stay what they are.
        let text = #"{"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","e\u0301":"\u00e9"}"#
        XCTAssertEqual(try canonical(text), "{\"e\u{301}\":\"é\",\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}")
    }

    func testStructureIsCompactAndBounded() throws {
        XCTAssertEqual(
            try canonical(#" { "b" : [ 56 , { "d" : true , "c" : null } ] , "a" : { } } "#),
            #"{"a":{},"b":[56,{"c":null,"d":true}]}"#
        )
        let twice = JSONValue.object(JSONObject([.init("a", 1), .init("a", 2)]))
        XCTAssertThrowsError(try twice.canonical()) { XCTAssertEqual($0 as? JSONError, JSONError(.duplicateMember)) }
        let nested: JSONValue = [["a": [1]]]
        XCTAssertNoThrow(try nested.canonical(limits: JSONLimits(maxDepth: 3)))
        XCTAssertThrowsError(try nested.canonical(limits: JSONLimits(maxDepth: 2))) {
            XCTAssertEqual($0 as? JSONError, JSONError(.tooDeep))
        }
    }
}
