#if os(Linux) || os(macOS)
import Foundation

/// The package's own test server (`Fixtures/collector`), run for one test.
/// `@unchecked`: nothing in it changes after `init`.
public final class Collector: @unchecked Sendable {
    private let process = Process()
    private let folder: URL
    /// Its address, without a slash at the end.
    public let url: String

    /// Starts it and waits for its port.
    ///
    /// - Parameters:
    ///   - script: The faults to play, as the collector's help describes them.
    ///   - arguments: More for its command line.
    public init(script: String = "[]", arguments: [String] = []) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
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
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.fileReadUnknown)
        }
        url = "http://127.0.0.1:\(port)"
    }

    deinit {
        // Not SIGTERM: a process started from a dispatch thread has inherited that thread's mask, which blocks it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)  // a temporary folder that stays harms nobody
    }

    /// A line for each request, as the collector logs them.
    public func requests() throws -> [[String: Any]] { try lines(of: "log") }

    /// A line for each event or record that was taken.
    public func accepted() throws -> [[String: Any]] { try lines(of: "accepted") }

    private func lines(of name: String) throws -> [[String: Any]] {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        // The last line may be on its way.
        let whole = text.prefix(upTo: text.lastIndex(of: "\n") ?? text.startIndex)
        return try whole.split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }
}
#endif
