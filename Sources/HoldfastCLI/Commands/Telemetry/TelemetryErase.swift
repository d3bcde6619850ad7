import HoldfastKit

/// `telemetry erase`: destroys the keys and everything that was kept.
struct TelemetryErase: Command {
    static let syntax = CommandSyntax(
        name: "telemetry erase",
        summary: "Destroys the keys and every event that is kept; they are counted as lost for consent.",
        options: [TelemetryData.option, .init("--json", "say how many were erased as a JSON object")]
    )

    private let data: TelemetryData
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try TelemetryData(arguments)
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let telemetry = try await data.openExisting()
        let before = await telemetry.status()
        try await telemetry.erase()
        let words = "\(before.queued) queued events are erased, and the keys with them"
        try console.output.write(["erased": .integer(Int64(before.queued))], or: words, asJSON: isJSON)
        return .done
    }
}
