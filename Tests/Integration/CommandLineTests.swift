import XCTest

/// What the command line promises whatever the command: exit codes, one sentence on standard error, help.
final class CommandLineTests: XCTestCase {
    func testTellsMisuseInOneSentenceWithExitCodeTwo() throws {
        let folder = try Folder(for: self)
        for arguments in [["nonsense"], ["gate", "nonsense"], ["--nonsense"]] {
            let outcome = try Holdfast.run(arguments, input: Data(), in: folder)
            XCTAssertEqual(outcome.status, 2, "\(arguments)")
            XCTAssertEqual(outcome.output, "", "\(arguments)")
            XCTAssertTrue(outcome.errors.hasPrefix("holdfast: "), outcome.errors)
            XCTAssertEqual(outcome.errors.filter { $0 == "\n" }.count, 1, outcome.errors)
        }
    }

    func testListsTheCommandsWhereNoneIsNamed() throws {
        let folder = try Folder(for: self)
        for arguments in [[], ["gate"]] {
            let outcome = try Holdfast.run(arguments, input: Data(), in: folder)
            XCTAssertEqual(outcome.status, 2, "\(arguments)")
            XCTAssertEqual(outcome.output, "", "\(arguments)")
            XCTAssertTrue(outcome.errors.hasPrefix("holdfast: "), outcome.errors)
            XCTAssertTrue(outcome.errors.contains("\n  holdfast gate scan "), outcome.errors)
            XCTAssertEqual(outcome.errors.contains("holdfast telemetry log"), arguments.isEmpty, outcome.errors)
        }
    }

    func testHelps() throws {
        let outcome = try Holdfast.run("--help", in: try Folder(for: self))
        XCTAssertEqual(outcome.status, 0)
        XCTAssertEqual(outcome.errors, "")
        XCTAssertTrue(outcome.output.contains("Exit codes: 0 done, 1 failed, 2 not understood."))
    }
}
