import HoldfastKit

/// `telemetry rotate-key`: a new key for what is logged from now on.
struct TelemetryRotateKey: Command {
    static let syntax = CommandSyntax(
        name: "telemetry rotate-key",
        summary: "Makes a new key; events that are queued keep theirs until they are delivered.",
        options: [
            TelemetryData.option,
            .init("--reseal", "seal queued events anew, so that the old key can be destroyed now"),
            .init("--json", "say the new key's number as a JSON object"),
        ]
    )

    private let data: TelemetryData
    private let reseals: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try TelemetryData(arguments)
        reseals = arguments.has("--reseal")
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let telemetry = try await data.openExisting()
        let key = try await telemetry.rotateKey(resealing: reseals)
        try console.output.write(key.json, or: key.sentence, asJSON: isJSON)
        return .done
    }
}
