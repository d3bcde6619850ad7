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
    }

    func testSaysWhichCommandIsMisused() {
        XCTAssertEqual(message(), "no command is given; see holdfast --help")
        XCTAssertEqual(message("gat"), "there is no command gat; see holdfast --help")
        XCTAssertEqual(message("gate"), "there is no command gate; see holdfast gate --help")
        XCTAssertEqual(message("gate", "tri"), "there is no command gate tri; see holdfast gate --help")
        XCTAssertEqual(message("gate", "try"), "gate try: --zone Z is missing; see holdfast gate try --help")
        XCTAssertEqual(
            message("gate", "try", "--", "--help"),
            "gate try: there is one argument too many; see holdfast gate try --help"
        )
    }
}
