/// The arguments of one command, read by its syntax.
struct Arguments: Hashable, Sendable {
    /// The operand, if the command takes one.
    private(set) var operand: String?
    private var values: [String: String] = [:]

    /// Reads the words after a command's name: `--name value` or `--name=value`, in any order; what comes after `--` is
    /// an operand whatever it looks like.
    ///
    /// - Throws: `UsageError` for anything that the syntax does not allow.
    init(_ words: [String], for syntax: CommandSyntax) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                try rest.forEach { try take(operand: $0, of: syntax) }
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                try take(operand: word, of: syntax)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = syntax.options.first(where: { $0.name == parts[0] }) else {
                throw UsageError("there is no option \(parts[0])")
            }
            guard values[option.name] == nil else { throw UsageError("\(option.name) is given twice") }
            switch (option.value, parts.count) {
            case (nil, 1): values[option.name] = ""
            case (nil, _): throw UsageError("\(option.name) takes no value")
            case (_, 2): values[option.name] = parts[1]
            case (let value?, _):
                guard let next = rest.first, !next.hasPrefix("--") else {
                    throw UsageError("\(option.name) needs a value: \(option.name) \(value)")
                }
                values[option.name] = rest.removeFirst()
            }
        }
        if let missing = syntax.options.first(where: { $0.presence == .required && values[$0.name] == nil }) {
            throw UsageError("\(missing.name) \(missing.value ?? "") is missing")
        }
        if let missing = syntax.operand, operand == nil { throw UsageError("\(missing) is missing") }
    }

    private mutating func take(operand word: String, of syntax: CommandSyntax) throws {
        guard syntax.operand != nil, operand == nil else { throw UsageError("there is one argument too many") }
        operand = word
    }

    /// Whether an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option, if it was given.
    subscript(name: String) -> String? { values[name] }

    /// The value of an option that the syntax requires.
    func required(_ name: String) throws -> String {
        guard let value = values[name] else { throw UsageError("\(name) is missing") }
        return value
    }

    /// The value of an option, read by `read`; nil if the option was not given.
    ///
    /// - Throws: `UsageError` saying that the value is not `kind`, without repeating it.
    func value<Value>(_ name: String, as kind: String, _ read: (String) -> Value?) throws -> Value? {
        guard let text = values[name] else { return nil }
        guard let value = read(text) else { throw UsageError("\(name) is not \(kind)") }
        return value
    }
}

/// The command line cannot be understood: exit code 2.
struct UsageError: Error, Hashable {
    /// What is wrong with it, without a full stop.
    var message: String

    /// An error saying `message`.
    init(_ message: String) { self.message = message }
}
