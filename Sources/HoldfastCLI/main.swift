import Glibc

Console.reserveDescriptors()
// An answer that nobody reads any more must end in an error message, not in the middle of a write.
signal(SIGPIPE, SIG_IGN)

let console = Console()
do {
    switch try Invocation(Array(CommandLine.arguments.dropFirst()), of: commands) {
    case .help(let text):
        // Who reads the first lines only, such as `head`, has what was asked for.
        do { try console.output.write(text + "\n") } catch is NobodyReads {}
    case .command(let command):
        exit(try await command.run(on: console).rawValue)
    }
} catch let error as UsageError {
    console.complain(error.message)
    exit(ExitCode.misuse.rawValue)
} catch {
    console.complain(explain(error))
    exit(ExitCode.failed.rawValue)
}
