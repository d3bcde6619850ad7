import XCTest

@testable import HoldfastCLI

final class LineSplitterTests: XCTestCase {
    private func split(_ chunks: String..., limit: Int = 10) -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines = chunks.flatMap { splitter.take(Array($0.utf8)) }
        splitter.finish().map { lines.append($0) }
        return lines.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    func testEndsLinesWithCarriageReturnLineFeedOrBoth() {
        XCTAssertEqual(split("a\nb\rc\r\nd\n"), ["a", "b", "c", "d"])
        XCTAssertEqual(split("a\r", "\nb"), ["a", "b"])
    }

    func testGivesALineWithItsFirstEndByte() {
        var splitter = LineSplitter(limit: 10)
        XCTAssertEqual(splitter.take(Array("ab".utf8)), [])
        XCTAssertEqual(splitter.take(Array("c\r".utf8)), [.init(number: 1, bytes: Array("abc".utf8))])
        XCTAssertEqual(splitter.take([10]), [])
    }

    func testPassesOverEmptyLines() {
        XCTAssertEqual(split("\n\r\r\n\na\n\n"), ["a"])
        XCTAssertEqual(split(""), [])
    }

    func testNumbersLinesAsAnEditorDoes() {
        var splitter = LineSplitter(limit: 10)
        let chunks = ["a\n\nb\r\n\r", "\n", "c\r", "d\n", "\r\ne"]
        var lines = chunks.flatMap { splitter.take(Array($0.utf8)) }
        splitter.finish().map { lines.append($0) }
        XCTAssertEqual(
            lines.map { "\($0.number)\(String(decoding: $0.bytes, as: UTF8.self))" },
            ["1a", "3b", "5c", "6d", "8e"]
        )
    }

    func testGivesTheLastLineWithoutAnEnd() {
        XCTAssertEqual(split("a\nb"), ["a", "b"])
        var splitter = LineSplitter(limit: 10)
        _ = splitter.take(Array("a".utf8))
        XCTAssertEqual(splitter.finish(), .init(number: 1, bytes: Array("a".utf8)))
        XCTAssertNil(splitter.finish())
    }

    func testKeepsEveryOtherByte() {
        var splitter = LineSplitter(limit: 256)
        let bytes = (UInt8.min...UInt8.max).filter { $0 != 10 && $0 != 13 }
        XCTAssertEqual(splitter.take(bytes + [10]), [.init(number: 1, bytes: bytes)])
    }

    func testKeepsNoMoreOfALineThanItsLimit() {
        XCTAssertEqual(split("0123456789abc", "def\nb"), ["0123456789", "b"])
        XCTAssertEqual(split("0123456789\nb"), ["0123456789", "b"])
    }
}
