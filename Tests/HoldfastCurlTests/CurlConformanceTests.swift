import Foundation
import HoldfastConformance
import HoldfastCurl
import XCTest

final class CurlConformanceTests: XCTestCase {
    func testKeepsThePromises() async throws {
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString).json")
        try Conformance.transportScript.write(to: script, atomically: true, encoding: .utf8)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: script)) }
        let collector = Process()
        collector.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/collector")
        collector.arguments = ["--token", "conformance", "--script", script.path]
        collector.standardError = FileHandle.nullDevice
        let output = Pipe()
        collector.standardOutput = output
        try collector.run()
        defer {
            // Not SIGTERM: the thread that started the collector may block it, and then so does the collector.
            kill(collector.processIdentifier, SIGKILL)
            collector.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try XCTUnwrap(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        let broken = await Conformance.transport.run {
            Conformance.TransportSubject(CurlTransport(), server: "http://127.0.0.1:\(port)")
        }
        XCTAssertEqual(broken, [])
    }
}
