import XCTest

@testable import HoldfastCLI

final class ArgumentsTests: XCTestCase {
    private let syntax = CommandSyntax(
        name: "gate try",
        summary: "Tries.",
        operand: "FILE",
        options: [
            .init("--data", "DIR", is: .required, "where"),
            .init("--zone", "Z", "which"),
            .init("--json", "how"),
        ]
    )

    private func parse(_ words: String...) throws -> Arguments { try Arguments(words, for: syntax) }

    private func message(_ words: String...) -> String? {
        do {
            _ = try Arguments(words, for: syntax)
            return nil
        } catch {
            return (error as? UsageError)?.message
        }
    }

    func testReadsOptionsAndTheOperandInAnyOrder() throws {
        let expected = try parse("file", "--data", "d", "--zone", "z", "--json")
        XCTAssertEqual(expected.operand, "file")
        XCTAssertEqual(expected["--data"], "d")
        XCTAssertEqual(expected["--zone"], "z")
        XCTAssertTrue(expected.has("--json"))
        XCTAssertEqual(try parse("--json", "--zone=z", "file", "--data=d"), expected)
    }

    func testTellsAbsentFromEmpty() throws {
        let arguments = try parse("--data=", "file")
        XCTAssertEqual(arguments["--data"], "")
        XCTAssertNil(arguments["--zone"])
        XCTAssertFalse(arguments.has("--json"))
    }

    func testTakesValuesThatLookLikeOptionsOnlyWhenTheyAreAttached() throws {
        XCTAssertEqual(try parse("--data=--json", "file")["--data"], "--json")
        XCTAssertEqual(try parse("--data=a=b", "file")["--data"], "a=b")
        XCTAssertEqual(try parse("--data", "-", "--", "--zone").operand, "--zone")
        XCTAssertEqual(message("file", "--data", "--json"), "--data needs a value: --data DIR")
    }

    func testSaysWhatIsWrong() {
        XCTAssertEqual(message("file", "--data", "d", "--dat", "d"), "there is no option --dat")
        XCTAssertEqual(message("file", "--data", "d", "-x"), "there is no option -x")
        XCTAssertEqual(message("file", "--data"), "--data needs a value: --data DIR")
        XCTAssertEqual(message("file", "--data", "d", "--data=e"), "--data is given twice")
        XCTAssertEqual(message("file", "--data", "d", "--json=1"), "--json takes no value")
        XCTAssertEqual(message("file"), "--data DIR is missing")
        XCTAssertEqual(message("--data", "d"), "FILE is missing")
        XCTAssertEqual(message("--data", "d", "a", "b"), "there is one argument too many")
    }

    func testReadsTypedValuesWithoutRepeatingThem() throws {
        let arguments = try parse("--data", "x7", "--zone", "12", "file")
        XCTAssertEqual(try arguments.value("--zone", as: "a number", { Int($0) }), 12)
        XCTAssertThrowsError(try arguments.value("--data", as: "a number", { Int($0) })) {
            XCTAssertEqual($0 as? UsageError, UsageError("--data is not a number"))
        }
        XCTAssertNil(try parse("--data", "d", "file").value("--zone", as: "a number", { Int($0) }))
    }

    func testExplainsItself() {
        XCTAssertEqual(syntax.usage, "holdfast gate try FILE --data DIR [--zone Z] [--json]")
        XCTAssertEqual(
            syntax.help,
            """
            usage: holdfast gate try FILE --data DIR [--zone Z] [--json]

            Tries.

              --data DIR  where
              --zone Z    which
              --json      how

            Exit codes:
              0  done
              1  it failed; standard error says why
              2  the command line cannot be understood
            """
        )
    }
}
