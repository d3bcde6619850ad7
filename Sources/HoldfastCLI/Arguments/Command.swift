/// One thing that `holdfast` does.
protocol Command: Sendable {
    /// What it is called and takes.
    static var syntax: CommandSyntax { get }

    /// Reads its arguments; nothing has happened yet.
    ///
    /// - Throws: `UsageError`.
    init(_ arguments: Arguments) throws

    /// Does it.
    ///
    /// - Throws: Anything, when it could not be done; `explain` finds the sentence.
    func run(on console: Console) async throws -> ExitCode
}

/// What the process ends with.
enum ExitCode: Int32, Sendable {
    /// What was asked for is done.
    case done = 0
    /// It failed.
    case failed = 1
    /// The command line could not be understood.
    case misuse = 2
}

/// A failure that is already a sentence.
struct CommandFailure: Error, Hashable {
    /// What went wrong, without a full stop.
    var message: String

    /// A failure saying `message`.
    init(_ message: String) { self.message = message }
}
