import HoldfastDomain

/// `demo`: the whole story on this machine.
struct Demo: Command {
    static let syntax = CommandSyntax(
        name: "demo",
        summary:
            "Plays the whole story on this machine in about a minute, and checks at the end that nothing was lost.",
        options: [
            .init("--fixtures", "DIR", "the package's Fixtures folder (default: found above here)"),
            .init("--keep", "keep the folder that it plays in"),
        ],
        notes: "Needs Python 3 for the server that fails (Fixtures/collector). Only this machine is talked to."
    )

    private let fixtures: String?
    private let isKept: Bool

    init(_ arguments: Arguments) throws {
        fixtures = arguments["--fixtures"]
        isKept = arguments.has("--keep")
    }

    func run(on console: Console) async throws -> ExitCode {
        let stage = try DemoStage(fixtures: fixtures, console: console)
        do {
            try GateStory(on: stage).play()
            try TelemetryStory(on: stage).play()
        } catch {
            console.complain("what the demo made is in \(stage.folder.path)")
            throw error
        }
        if isKept {
            try stage.say("\nEverything is in \(stage.folder.path).")
        } else {
            try stage.clear()
        }
        return .done
    }
}
