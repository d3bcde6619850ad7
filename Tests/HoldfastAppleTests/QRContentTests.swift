import XCTest

@testable import HoldfastApple

final class QRContentTests: XCTestCase {
    /// Packs numbers of so many bits each, as a code does, and fills up as a code does.
    private func codewords(_ parts: [(value: Int, bits: Int)], padding: [UInt8] = [0xec, 0x11]) -> [UInt8] {
        let bits = parts.flatMap { part in (0..<part.bits).reversed().map { part.value >> $0 & 1 } }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | UInt8(start + $1 < bits.count ? bits[start + $1] : 0) }
        }
        return bytes + padding
    }

    private func segment(_ bytes: [UInt8], lengthBits: Int = 8) -> [(value: Int, bits: Int)] {
        [(0b0100, 4), (bytes.count, lengthBits)] + bytes.map { (Int($0), 8) }
    }

    func testTextIsItsBytes() {
        XCTAssertEqual(QRContent.bytes(text: "é", codewords: [1], version: 1), [0xc3, 0xa9])
        XCTAssertEqual(QRContent.bytes(text: "", codewords: nil, version: 1), [])
    }

    func testBytesThatAreNoTextAreTakenFromTheirSegments() {
        let bytes: [UInt8] = [0xff, 0x00, 0xfe]
        let end = [(value: 0, bits: 4)]
        XCTAssertEqual(QRContent.bytes(text: nil, codewords: codewords(segment(bytes) + end), version: 9), bytes)
        XCTAssertEqual(
            QRContent.bytes(text: nil, codewords: codewords(segment(bytes, lengthBits: 16) + end), version: 10),
            bytes
        )
        let two = segment(bytes) + [(0b0111, 4), (26, 8)] + segment([7]) + end
        XCTAssertEqual(QRContent.bytes(text: nil, codewords: codewords(two), version: 1), bytes + [7])
        let wide = [(value: 0b0111, bits: 4), (0x8000, 16)] + segment([7]) + end
        XCTAssertEqual(QRContent.bytes(text: nil, codewords: codewords(wide), version: 1), [7])
    }

    func testAFullCodeNeedsNoEnd() {
        XCTAssertEqual(
            QRContent.bytes(text: nil, codewords: codewords(segment([9, 9]), padding: []), version: 1),
            [9, 9]
        )
    }

    func testWhatCannotBeReadIsGivenAsItIs() {
        for broken in [
            [], [0b0001_0000, 1, 2], [0b0100_0001], [0b0100_1111, 0xff, 1], [0b0111_1100], [0xff, 0xff, 0xff],
        ] as [[UInt8]] {
            XCTAssertEqual(QRContent.bytes(text: nil, codewords: broken, version: 1), broken)
        }
        XCTAssertNil(QRContent.bytes(text: nil, codewords: nil, version: 1))
    }

    func testNoInputTraps() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let random = (0..<Int.random(in: 0...40)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            XCTAssertNotNil(QRContent.bytes(text: nil, codewords: random, version: .random(in: -1...41)))
        }
    }
}
