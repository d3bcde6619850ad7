import Foundation
import XCTest

/// The built command line.
enum Holdfast {
    /// Where it was built: beside the tests.
    static let executable = Bundle.main.bundleURL.appendingPathComponent("holdfast")
    /// The package's own folder.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Starts it; with `input` nil it waits for what is typed.
    static func start(
        _ arguments: [String],
        input: String? = "",
        at place: NetworkPlace? = nil,
        in folder: Folder
    ) throws -> Program {
        try Program(executable, arguments, input: input.map { Data($0.utf8) }, at: place, in: folder)
    }

    /// Runs it to its end.
    static func run(_ arguments: String..., input: String = "", in folder: Folder) throws -> Outcome {
        try run(arguments, input: Data(input.utf8), in: folder)
    }

    /// Runs it to its end on any input.
    static func run(_ arguments: [String], input: Data, in folder: Folder) throws -> Outcome {
        let program = try Program(executable, arguments, input: input, in: folder)
        let status = program.wait()
        return Outcome(status: status, output: program.output, errors: program.errors)
    }
}

/// How a run of the command line went.
struct Outcome {
    /// The exit code, or the negative number of a signal.
    var status: Int32
    /// Everything on standard output.
    var output: String
    /// Everything on standard error.
    var errors: String

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of the output, each a JSON object.
    func objects() throws -> [Row] { try lines.map(Row.init) }
}

/// One line of JSON output, read by Foundation's parser and not by the package's own.
struct Row {
    private let members: [String: Any]

    /// Reads a line that is a JSON object.
    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        members = try XCTUnwrap(value as? [String: Any], "not an object: \(text)")
    }

    private init(members: [String: Any]) { self.members = members }

    /// The member's own members; nil if it is no object.
    func row(_ name: String) -> Row? { (members[name] as? [String: Any]).map { Row(members: $0) } }
    /// The member's text; nil if it is null, absent or no string.
    subscript(name: String) -> String? { members[name] as? String }
    /// The member's whole number; nil if it is null, absent or none.
    func number(_ name: String) -> Int? { (members[name] as? NSNumber)?.intValue }
    /// The member's truth value; nil if it is null, absent or none.
    func flag(_ name: String) -> Bool? { members[name] as? Bool }
    /// The member's strings; nil if it is null, absent or no list of strings.
    func strings(_ name: String) -> [String]? { members[name] as? [String] }
    /// The names of all members.
    var names: Set<String> { Set(members.keys) }
}
