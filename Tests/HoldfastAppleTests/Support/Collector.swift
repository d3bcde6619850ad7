#if os(Linux) || os(macOS)
import Foundation
import XCTest

/// The package's own test server (`Fixtures/collector`), run for one test.
final class Collector {
    private let process = Process()
    private let folder: URL
    let url: String

    /// Starts it and waits for its port.
    ///
    /// - Parameter script: The faults to play, as the collector's help describes them.
    init(script: String = "[]", arguments: [String] = []) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("collector-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try script.write(to: folder.appendingPathComponent("script"), atomically: true, encoding: .utf8)
        let output = Pipe()
        process.executableURL = package.appendingPathComponent("Fixtures/collector")
        process.arguments =
            [
                "--script", folder.appendingPathComponent("script").path,
                "--log", folder.appendingPathComponent("log").path,
                "--accepted", folder.appendingPathComponent("accepted").path,
            ] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try XCTUnwrap(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        url = "http://127.0.0.1:\(port)"
    }

    deinit {
        // Not SIGTERM: a process started from a dispatch thread has inherited that thread's mask, which blocks it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)  // a temporary folder that stays harms nobody
    }

    /// A line for each request, as the collector logs them.
    func requests() throws -> [[String: Any]] { try lines(of: "log") }

    /// A line for each event or record that was taken.
    func accepted() throws -> [[String: Any]] { try lines(of: "accepted") }

    private func lines(of name: String) throws -> [[String: Any]] {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
#endif
