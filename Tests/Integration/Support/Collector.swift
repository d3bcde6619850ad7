import Foundation
import Patience
import XCTest

/// The collector ended before it had a port.
struct CollectorFailure: Error {
    /// What it said.
    var message: String
}

/// A running `Fixtures/collector`.
final class Collector {
    private let program: Program
    private let folder: Folder
    private let host: String
    private let scheme: String
    /// Its port.
    let port: Int

    /// Starts one that plays `script` (JSON, see its `--help`), on this machine's network or at a place of its own; with
    /// a certificate it speaks HTTPS.
    init(
        script: String = "[]",
        token: String? = nil,
        tls: (certificate: String, key: String)? = nil,
        at place: NetworkPlace? = nil,
        in folder: Folder,
        for test: XCTestCase
    ) throws {
        host = place?.address ?? "127.0.0.1"
        scheme = tls == nil ? "http" : "https"
        let folder = try folder.subfolder()
        self.folder = folder
        let arguments = [
            "--host", host, "--script", try folder.file("script", script), "--accepted", folder.path("accepted"),
            "--log", folder.path("log"), "--arrivals", folder.path("arrivals"), "--port-file", folder.path("port"),
        ]
        let executable = Holdfast.package.appendingPathComponent("Fixtures/collector")
        let program = try Program(
            executable,
            arguments + (token.map { ["--token", $0] } ?? []) + (tls.map { ["--tls", $0.certificate, $0.key] } ?? []),
            input: Data(),
            at: place,
            in: folder
        )
        self.program = program
        test.addTeardownBlock {
            program.send(SIGTERM)
            program.wait()
        }
        let patience = Patience("the collector listens")
        while !FileManager.default.fileExists(atPath: folder.path("port")) {
            guard program.isRunning else { throw CollectorFailure(message: program.errors) }
            try patience.rest()
        }
        let text = try String(contentsOf: folder.url("port"), encoding: .utf8)
        port = try XCTUnwrap(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Its address, without a slash at the end.
    var base: String { "\(scheme)://\(host):\(port)" }

    /// Where records go.
    var recordsURL: String { "\(base)/v1/gate/records" }

    /// What it took, in order.
    func accepted() throws -> [Row] { try lines("accepted") }

    /// What it took, as it came.
    func acceptedText() throws -> String { try String(contentsOf: folder.url("accepted"), encoding: .utf8) }

    /// The ids of what it took, in order.
    func acceptedIDs() throws -> [String] { try accepted().compactMap { $0["id"] } }

    /// One entry per request that was answered, or never will be.
    func requests() throws -> [Row] { try lines("log") }

    /// Waits until so many requests have come in, answered or not.
    func waitForRequests(_ count: Int) throws {
        let patience = Patience("request \(count) comes in")
        while try lines("arrivals").count < count { try patience.rest() }
    }

    /// What it had to object to.
    func violations() throws -> [String] { try requests().flatMap { $0.strings("violations") ?? [] } }

    private func lines(_ name: String) throws -> [Row] {
        let text = try String(contentsOf: folder.url(name), encoding: .utf8)
        // The last line may be on its way.
        let whole = text.prefix(upTo: text.lastIndex(of: "\n") ?? text.startIndex)
        return try whole.split(separator: "\n").map { try Row(String($0)) }
    }
}
