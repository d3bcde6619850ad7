import XCTest

/// The README's commands, run by a shell as they are printed.
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

    private func shell(_ line: String, in folder: Folder) throws -> Outcome {
        let script =
            "cd '\(folder.path(""))' && PATH='\(Holdfast.executable.deletingLastPathComponent().path)':$PATH\n\(line)"
        let program = try Program(URL(fileURLWithPath: "/bin/sh"), ["-c", script], input: Data(), in: folder)
        return Outcome(status: program.wait(), output: program.output, errors: program.errors)
    }
}
