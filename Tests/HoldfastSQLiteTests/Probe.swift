import Foundation
import XCTest

/// A `StoreProbe` at work in a process of its own.
final class Probe {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var buffer = Data()

    init(_ command: String, _ path: String, _ number: Int = 0) throws {
        // Built beside the tests; where a test bundle is a folder, beside that.
        let folders = [Bundle.main.bundleURL, Bundle(for: Probe.self).bundleURL.deletingLastPathComponent()]
        let candidates = folders.map { $0.appendingPathComponent("StoreProbe") }
        guard let program = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw XCTSkip("StoreProbe was not built")
        }
        process.executableURL = program
        process.arguments = [command, path, String(number)]
        process.standardOutput = output
        process.standardInput = input
        // While coverage is measured: what is killed as it writes its counts spoils those of all.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
        try process.run()
    }

    /// The next line it says; nil when it has ended.
    func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                buffer.removeSubrange(buffer.startIndex...end)
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            buffer.append(more)
        }
    }

    /// All lines until it ends by itself.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }

    /// Ends it at whatever instruction it is.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
