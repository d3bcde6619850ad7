import XCTest

/// The README's commands, run by a shell as they are printed, and the answers that the documentation shows.
final class ReadmeCommandsTests: XCTestCase {
    func testTheQuickStartWorksAsPrinted() throws {
        let folder = try Folder(for: self)
        let collector = try Collector(in: folder, for: self)
        let readme = try String(contentsOf: Holdfast.package.appendingPathComponent("README.md"), encoding: .utf8)
        let commands = readme.components(separatedBy: "\n").filter { $0.hasPrefix("holdfast ") }
        XCTAssertEqual(commands.count, 7)
        var outputs: [String] = []
        for command in commands {
            let line = command.replacingOccurrences(of: "http://127.0.0.1:8080", with: collector.base)
                .replacingOccurrences(of: "Fixtures/", with: Holdfast.package.path + "/Fixtures/")
            let outcome = try shell(line, in: folder)
            XCTAssertEqual(outcome.status, 0, "\(line)\n\(outcome.errors)")
            outputs.append(outcome.output)
        }
        XCTAssertTrue(outputs[3].hasPrefix("ACCEPTED  T-1"), outputs[3])
        XCTAssertEqual(try collector.accepted().count, 2)
    }

    func testTheArticleShowsWhatTheCommandsAnswer() throws {
        let path = "Sources/Holdfast/Holdfast.docc/RunAGateOnLinux.md"
        let text = try String(contentsOf: Holdfast.package.appendingPathComponent(path), encoding: .utf8)
        let shown = try text.components(separatedBy: "```json\n").dropFirst()
            .map { try Row($0.components(separatedBy: "```")[0]) }
        XCTAssertEqual(shown.count, 3)
        let gate = try Gate(for: self)
        let answers = [try gate.answer("T-1")]
        let sync = ["gate", "sync", "--data", gate.data, "--to", "http://127.0.0.1:9/", "--json"]
        let rows = try answers + Holdfast.run(sync, input: Data(), in: gate.folder).objects() + [gate.status()]
        XCTAssertEqual(rows.map(\.names), shown.map(\.names))
    }

    private func shell(_ line: String, in folder: Folder) throws -> Outcome {
        let script =
            "cd '\(folder.path(""))' && PATH='\(Holdfast.executable.deletingLastPathComponent().path)':$PATH\n\(line)"
        let program = try Program(URL(fileURLWithPath: "/bin/sh"), ["-c", script], input: Data(), in: folder)
        return Outcome(status: program.wait(), output: program.output, errors: program.errors)
    }
}
