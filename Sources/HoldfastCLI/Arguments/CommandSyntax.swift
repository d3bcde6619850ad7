/// What a command is called and takes: enough to read its arguments and to explain them.
struct CommandSyntax: Sendable {
    /// One `--name` of a command.
    struct Option: Sendable {
        /// Whether it has to be there.
        enum Presence: Hashable, Sendable { case required, optional }

        /// The name, with its dashes.
        var name: String
        /// What stands after it, such as `DIR`; nil for a switch.
        var value: String?
        /// Whether it has to be there.
        var presence: Presence
        /// What it does, in one line.
        var help: String

        /// An option with a value.
        init(_ name: String, _ value: String, is presence: Presence = .optional, _ help: String) {
            self.init(name: name, value: value, presence: presence, help: help)
        }

        /// A switch.
        init(_ name: String, _ help: String) {
            self.init(name: name, value: nil, presence: .optional, help: help)
        }

        private init(name: String, value: String?, presence: Presence, help: String) {
            self.name = name
            self.value = value
            self.presence = presence
            self.help = help
        }
    }

    /// The words that call it, such as `gate scan`.
    var name: String
    /// What it does, in one line.
    var summary: String
    /// The operand it needs, such as `FILE`, if it needs one.
    var operand: String?
    /// Its options.
    var options: [Option]
    /// More about it, for `--help`.
    var notes = ""
    /// What exit code 0 says.
    var done = "done"
    /// What exit code 1 says.
    var failed = "it failed; standard error says why"

    /// The command on one line.
    var usage: String {
        let parts = options.map { option in
            let text = option.value.map { "\(option.name) \($0)" } ?? option.name
            return option.presence == .required ? text : "[\(text)]"
        }
        return (["holdfast \(name)"] + (operand.map { [$0] } ?? []) + parts).joined(separator: " ")
    }

    /// All that `--help` prints.
    var help: String {
        let names = options.map { option in option.value.map { "\(option.name) \($0)" } ?? option.name }
        let width = names.map(\.count).max() ?? 0
        let lines = zip(names, options).map { name, option in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(option.help)"
        }
        let codes = """
            Exit codes:
              0  \(done)
              1  \(failed)
              2  the command line cannot be understood
            """
        let paragraphs = ["usage: \(usage)", summary, lines.joined(separator: "\n"), notes, codes]
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
