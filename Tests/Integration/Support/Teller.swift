import Foundation
import XCTest

/// Telemetry driven through the command line.
struct Teller {
    /// The test's folder.
    let folder: Folder
    /// The data directory.
    var data: String { folder.path("data") }

    /// The journal's file.
    var database: String { data + "/telemetry.sqlite" }

    /// Telemetry for `test`, with nothing logged yet.
    init(for test: XCTestCase) throws { folder = try Folder(for: test) }

    /// Telemetry in the data directory of a gate.
    init(beside gate: Gate) { folder = gate.folder }

    /// Lines for `telemetry log --lines`: events of `type`, numbered so.
    func lines(_ numbers: ClosedRange<Int>, type: String = "t", padding: Int = 0) -> String {
        let text = String(repeating: "x", count: padding)
        return numbers.map { #"{"type":"\#(type)","payload":{"n":\#($0),"text":"\#(text)"}}"# + "\n" }.joined()
    }

    /// Logs lines; the ids of those that were taken.
    func log(_ lines: String) throws -> [String] {
        let outcome = try run("log", "--lines", "--json", input: lines)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return try outcome.objects().compactMap { $0["id"] }
    }

    /// Runs a telemetry command on the data.
    @discardableResult
    func run(_ command: String, _ more: String..., input: String = "") throws -> Outcome {
        let words = ["telemetry", command, "--data", data] + more
        return try Holdfast.run(words, input: Data(input.utf8), in: folder)
    }

    /// Delivers with `--json`.
    func deliver(to collector: Collector, _ more: String...) throws -> Outcome {
        let words = ["telemetry", "deliver", "--data", data, "--to", collector.eventsURL, "--json"] + more
        return try Holdfast.run(words, input: Data(), in: folder)
    }

    /// `telemetry status --json`.
    func status() throws -> Row {
        let outcome = try run("status", "--json")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return try XCTUnwrap(try outcome.objects().first)
    }

    /// Every file in the data directory, with its bytes.
    func files() throws -> [(name: String, bytes: Data)] {
        let root = URL(fileURLWithPath: data)
        let names = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
        return names.compactMap { name in
            // A directory has no bytes.
            (try? Data(contentsOf: root.appendingPathComponent(name))).map { (name, $0) }
        }
    }
}

extension Collector {
    /// Where events go.
    var eventsURL: String { "\(base)/v1/telemetry/batch" }

    /// The `n` of every event that it took, in order, but of the package's own.
    func numbers() throws -> [Int] {
        try accepted().compactMap { $0.row("item")?.row("payload")?.number("n") }
    }
}
