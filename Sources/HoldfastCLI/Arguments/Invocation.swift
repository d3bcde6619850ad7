/// What a command line asks for.
enum Invocation {
    /// A command and its arguments.
    case command(any Command)
    /// A text that explains something.
    case help(String)

    /// Reads the words after the program's name. `help gate scan` asks for the same as `gate scan --help`.
    ///
    /// - Throws: `UsageError`, whose message names the command that it is about.
    init(_ words: [String], of commands: [any Command.Type]) throws {
        let isHelp = { (word: String) in ["--help", "-h", "help"].contains(word) }
        guard let first = words.first else {
            throw UsageError("no command is given; there are these:\n\n\(overview(of: commands))")
        }
        if isHelp(first) {
            let topic = words.dropFirst().prefix { !isHelp($0) }
            self = topic.isEmpty ? .help(overview(of: commands)) : try Invocation(topic + ["--help"], of: commands)
            return
        }
        let found = commands.first { type in
            let name = type.syntax.name.split(separator: " ").map(String.init)
            return words.starts(with: name)
        }
        guard let found else {
            let group = commands.filter { $0.syntax.name.hasPrefix(first + " ") }
            guard !group.isEmpty else { throw UsageError("there is no command \(first); see holdfast --help") }
            if words.count > 1, isHelp(words[1]) {
                self = .help(overview(of: group))
                return
            }
            guard words.count > 1, !words[1].hasPrefix("-") else {
                throw UsageError("\(first) alone is no command; there are these:\n\n\(overview(of: group))")
            }
            throw UsageError("there is no command \(first) \(words[1]); see holdfast \(first) --help")
        }
        let syntax = found.syntax
        let rest = Array(words.dropFirst(syntax.name.split(separator: " ").count))
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            self = .help(syntax.help)
            return
        }
        do {
            self = .command(try found.init(try Arguments(rest, for: syntax)))
        } catch let error as UsageError {
            throw UsageError("\(syntax.name): \(error.message); see holdfast \(syntax.name) --help")
        }
    }
}

/// Each command with what it does.
private func overview(of commands: [any Command.Type]) -> String {
    let width = commands.map { $0.syntax.name.count }.max() ?? 0
    let lines = commands.map { type in
        let padding = String(repeating: " ", count: width - type.syntax.name.count)
        return "  holdfast \(type.syntax.name)\(padding)  \(type.syntax.summary)"
    }
    return (lines + ["", "holdfast COMMAND --help tells more. Exit codes: 0 done, 1 failed, 2 not understood."])
        .joined(separator: "\n")
}
