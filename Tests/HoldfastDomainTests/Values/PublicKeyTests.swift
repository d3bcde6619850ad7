import HoldfastDomain
import XCTest

final class PublicKeyTests: XCTestCase {
    func testEncodingsOfPointsOfLowOrderAreRefused() throws {
        let encodings = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
        for encoding in encodings {
            var bytes = try XCTUnwrap(Hex.decode(encoding))
            XCTAssertNil(PublicKey(bytes: bytes), encoding)
            bytes[31] ^= 0x80
            XCTAssertNil(PublicKey(bytes: bytes), "\(encoding), the other sign")
        }
    }

    func testEncodingsOfYThatAreNotReducedAreRefused() {
        for low in 0xed...0xff as ClosedRange<UInt8> {
            for high in [0x7f, 0xff] as [UInt8] {
                XCTAssertNil(PublicKey(bytes: [low] + [UInt8](repeating: 0xff, count: 30) + [high]))
            }
        }
        XCTAssertNotNil(PublicKey(bytes: [0xeb] + [UInt8](repeating: 0xff, count: 30) + [0x7f]))
    }

    func testKeysOfTheStandardAreAcceptedInTheirOnlyLength() throws {
        // RFC 8032, section 7.1.
        for key in [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
            "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        ] {
            let bytes = try XCTUnwrap(Hex.decode(key))
            XCTAssertEqual(PublicKey(bytes: bytes)?.bytes, bytes)
            XCTAssertNil(PublicKey(bytes: bytes + [0]))
            XCTAssertNil(PublicKey(bytes: Array(bytes.dropLast())))
        }
        XCTAssertNil(PublicKey(bytes: []))
    }

    func testListOfOthers() throws {
        let text = String(decoding: try Vectors.bytes("ed25519", "cctv_README.md"), as: UTF8.self)
        let words = text.split { !$0.isHexDigit }.map { String($0) }.filter { $0.count == 64 }
        XCTAssertEqual(words.count, 14)
        for word in words { XCTAssertNil(PublicKey(bytes: try XCTUnwrap(Hex.decode(word))), word) }
    }
}
