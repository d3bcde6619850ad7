import XCTest

@testable import HoldfastCLI

final class InvocationTests: XCTestCase {
    private struct Sample: Command {
        static let syntax = CommandSyntax(
            name: "gate try",
            summary: "Tries.",
            options: [.init("--zone", "Z", is: .required, "which")]
        )
        let zone: String
        init(_ arguments: Arguments) throws { zone = try arguments.required("--zone") }
        func run(on console: Console) async throws -> ExitCode { .done }
    }

    private func invoke(_ words: String...) throws -> Invocation { try Invocation(words, of: [Sample.self]) }

    private func help(_ words: String...) throws -> String? {
        guard case .help(let text) = try Invocation(words, of: [Sample.self]) else { return nil }
        return text
    }

    private func message(_ words: String...) -> String? {
        do {
            _ = try Invocation(words, of: [Sample.self])
            return nil
        } catch {
            return (error as? UsageError)?.message
        }
    }

    func testFindsTheCommand() throws {
        guard case .command(let command) = try invoke("gate", "try", "--zone", "A") else { return XCTFail("help") }
        XCTAssertEqual((command as? Sample)?.zone, "A")
    }

    func testHelpsAtEveryLevel() throws {
        XCTAssertEqual(try help("--help")?.hasPrefix("  holdfast gate try  Tries.\n"), true)
        XCTAssertEqual(try help("help"), try help("-h"))
        XCTAssertEqual(try help("gate", "--help"), try help("--help"))
        XCTAssertEqual(try help("gate", "try", "--help"), Sample.syntax.help)
        XCTAssertEqual(try help("gate", "try", "--nonsense", "-h"), Sample.syntax.help)
        XCTAssertEqual(try help("help", "gate"), try help("gate", "--help"))
        XCTAssertEqual(try help("help", "gate", "try"), Sample.syntax.help)
        XCTAssertEqual(try help("help", "--help"), try help("help"))
    }

    func testListsTheCommandsWhereNoneIsNamed() throws {
        let list = try XCTUnwrap(help("--help"))
        XCTAssertEqual(message(), "no command is given; there are these:\n\n\(list)")
        XCTAssertEqual(message("gate"), "gate alone is no command; there are these:\n\n\(list)")
        XCTAssertEqual(message("gate", "--zone", "A"), message("gate"))
    }

    func testEachCommandsHelpExplainsWhatItTakes() {
        for syntax in commands.map({ $0.syntax }) {
            XCTAssertTrue(syntax.help.hasPrefix("usage: holdfast \(syntax.name)"), syntax.name)
            for option in syntax.options {
                XCTAssertTrue(syntax.usage.contains(option.name), "\(syntax.name) \(option.name)")
                XCTAssertFalse(option.help.isEmpty, "\(syntax.name) \(option.name)")
            }
            for code in [syntax.done, syntax.failed] {
                XCTAssertTrue(syntax.help.contains("  \(code)\n"), "\(syntax.name): \(code)")
            }
        }
    }

    func testSaysWhichCommandIsMisused() {
        XCTAssertEqual(message("help", "gat"), "there is no command gat; see holdfast --help")
        XCTAssertEqual(message("gat"), "there is no command gat; see holdfast --help")
        XCTAssertEqual(message("gate", "tri"), "there is no command gate tri; see holdfast gate --help")
        XCTAssertEqual(message("gate", "try"), "gate try: --zone Z is missing; see holdfast gate try --help")
        XCTAssertEqual(
            message("gate", "try", "--", "--help"),
            "gate try: there is one argument too many; see holdfast gate try --help"
        )
    }
}
