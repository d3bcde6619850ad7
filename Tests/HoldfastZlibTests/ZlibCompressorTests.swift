import Foundation
import HoldfastConformance
import HoldfastDomain
import HoldfastZlib
import XCTest

final class ZlibCompressorTests: XCTestCase {
    private let text = Array(String(repeating: #"{"type":"screen.view","payload":{"ms":182}},"#, count: 6000).utf8)

    func testKeepsThePromisesAtEveryLevel() async {
        for level in [-5, 0, 1, 6, 9, 100] {
            let broken = await Conformance.compressor.run {
                Conformance.CompressorSubject(ZlibCompressor(level: level)) {
                    try? GzipReader.gunzip($0, limit: 1 << 20)
                }
            }
            XCTAssertEqual(broken, [], "level \(level)")
        }
    }

    func testTextShrinks() throws {
        XCTAssertLessThan(try ZlibCompressor().gzip(text).count, text.count / 50)
        XCTAssertGreaterThan(try ZlibCompressor(level: 0).gzip(text).count, text.count)
    }

    func testGzipItselfReadsIt() throws {
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-dc"]
        let (input, output) = (Pipe(), Pipe())
        gzip.standardInput = input
        gzip.standardOutput = output
        try gzip.run()
        try input.fileHandleForWriting.write(contentsOf: Data(try ZlibCompressor().gzip(Array("abc\n".utf8))))
        try input.fileHandleForWriting.close()
        let unpacked = output.fileHandleForReading.readDataToEndOfFile()
        gzip.waitUntilExit()
        XCTAssertEqual(gzip.terminationStatus, 0)
        XCTAssertEqual(Array(unpacked), Array("abc\n".utf8))
    }

    func testReaderRefusesWhatIsNotWhole() throws {
        let member = try ZlibCompressor().gzip(Array(text.prefix(500)))
        for count in 0..<member.count {
            XCTAssertThrowsError(try GzipReader.gunzip(Array(member.prefix(count)), limit: 1000), "cut to \(count)")
        }
        XCTAssertThrowsError(try GzipReader.gunzip(member + [0], limit: 1000))
        XCTAssertThrowsError(try GzipReader.gunzip(Array(member.reversed()), limit: 1000))
        // Of ten bytes of header the time and the system mean nothing, nor do the bits that fill up the last byte of the
        // data; nothing else can change what comes out without being told.
        for index in 10..<member.count {
            var changed = member
            changed[index] ^= 0x10
            let unpacked = try? GzipReader.gunzip(changed, limit: 1000)
            XCTAssertTrue(unpacked == nil || unpacked == Array(text.prefix(500)), "byte \(index)")
        }
    }

    func testReaderStopsAtItsLimit() throws {
        let bomb = try ZlibCompressor(level: 9).gzip([UInt8](repeating: 0, count: 10_000_000))
        XCTAssertLessThan(bomb.count, 20_000)
        XCTAssertThrowsError(try GzipReader.gunzip(bomb, limit: 9_999_999)) { XCTAssertTrue($0 is CompressionError) }
        XCTAssertThrowsError(try GzipReader.gunzip(bomb, limit: 0))
        XCTAssertThrowsError(try GzipReader.gunzip(bomb, limit: -1))
        XCTAssertEqual(try GzipReader.gunzip(bomb, limit: 10_000_000).count, 10_000_000)
        XCTAssertEqual(try GzipReader.gunzip(try ZlibCompressor().gzip([]), limit: 0), [])
    }
}
