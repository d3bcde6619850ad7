import Foundation
import XCTest

/// A running `server.py`, which ends with this object, or with the process that holds its input.
// Nothing of it changes after `init`.
final class LoopbackServer: @unchecked Sendable {
    /// One for all tests that need no certificate: Python takes its time to start.
    static let shared = Result { try LoopbackServer() }

    let port: Int
    private let process = Process()
    private let input = Pipe()

    /// - Parameter tls: The files of a certificate and its key; nil for plain HTTP.
    init(tls: (certificate: String, key: String)? = nil) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("server.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path] + (tls.map { [$0.certificate, $0.key] } ?? [])
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try XCTUnwrap(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "the server did not start")
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
