import Foundation
import HoldfastDomain
import XCTest

final class Base64Tests: XCTestCase {
    func testKnownSpellings() {
        // RFC 4648, section 10.
        for (text, padded, url) in [
            ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
            ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
        ] {
            XCTAssertEqual(Base64.encode(Array(text.utf8)), padded)
            XCTAssertEqual(Base64.decode(padded), Array(text.utf8))
            XCTAssertEqual(Base64URL.encode(Array(text.utf8)), url)
            XCTAssertEqual(Base64URL.decode(url), Array(text.utf8))
        }
        XCTAssertEqual(Base64URL.encode([0xfb, 0xff, 0xfe]), "-__-")
        XCTAssertEqual(Base64.encode([0xfb, 0xff, 0xfe]), "+//+")
    }

    func testEveryOtherSpellingIsRefused() {
        for text in [
            "Z", "Zg=", "Zg==", "Zm9v====", "Zh", "Zm9", "Zm8=", "Zm9vZ", "+//+", "-__-\n", " -__-", "Zg\0", "Zé", "Z.",
            "Zm 9v", "\u{feff}Zm9v", "=", "====", "Zm9v=",
        ] {
            XCTAssertNil(Base64URL.decode(text), text)
        }
        for text in [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9v====", "Z===", "=Zg=", "Zm9=", "-__-", "=", "==", "====", "Zg==\n",
        ] {
            XCTAssertNil(Base64.decode(text), text)
        }
    }

    func testEveryLengthComesBackAndEachByteStringHasOneSpelling() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            XCTAssertEqual(Base64URL.decode(Base64URL.encode(bytes)), bytes)
            XCTAssertEqual(Base64.decode(Base64.encode(bytes)), bytes)
        }
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=".utf8)
        for first in digits {
            for second in digits {
                guard let bytes = Base64URL.decode([first, second]) else { continue }
                XCTAssertEqual(Array(Base64URL.encode(bytes).utf8), [first, second])
            }
        }
    }

    func testVectorsOfOthers() throws {
        let vectors = try JSONValue.parse(try Vectors.bytes("base64", "rfc4648_section10.json"))
        for vector in try XCTUnwrap(vectors.arrayValue) {
            let bytes = Array(try XCTUnwrap(vector["text"]?.stringValue).utf8)
            XCTAssertEqual(Base64.decode(try XCTUnwrap(vector["base64"]?.stringValue)), bytes)
            XCTAssertEqual(Base64URL.decode(try XCTUnwrap(vector["base64url_nopad"]?.stringValue)), bytes)
        }
    }
}
