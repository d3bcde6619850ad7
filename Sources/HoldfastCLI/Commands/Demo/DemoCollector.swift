import Foundation
import HoldfastDomain

/// The demo's server: `Fixtures/collector`, told to fail for a while.
final class DemoCollector {
    private let child: DemoChild
    private let accepted: URL
    /// Where it listens.
    let base: String

    /// Starts one that plays `script`.
    init(named name: String, script: JSONValue, on stage: DemoStage) throws {
        let file = stage.folder.appendingPathComponent("\(name).script")
        try Data(script.encoded()).write(to: file)
        accepted = stage.folder.appendingPathComponent("\(name).accepted")
        child = try DemoChild(
            stage.fixtures.appendingPathComponent("collector"),
            ["--script", file.path, "--accepted", accepted.path, "--log", stage.path("\(name).log")],
            input: "",
            in: stage
        )
        guard let port = Int(child.read().trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailure("the demo failed: the collector does not start")
        }
        base = "http://127.0.0.1:\(port)"
    }

    /// The ids of what it took, in order.
    func acceptedIDs() throws -> [String] {
        try String(contentsOf: accepted, encoding: .utf8).split(separator: "\n").map { line in
            guard let id = try JSONValue.parse(String(line))["id"]?.stringValue else {
                throw CommandFailure("the demo failed: the collector's notes cannot be read")
            }
            return id
        }
    }

    /// Ends it.
    ///
    /// - Throws: `CommandFailure` if it had anything to object to.
    func stop() throws {
        child.terminate()
        guard child.wait() == 0 else {
            throw CommandFailure("the demo failed: the collector was sent what it must not be")
        }
    }
}
