import HoldfastKit

/// `telemetry status`: how telemetry stands.
struct TelemetryStatusCommand: Command {
    static let syntax = CommandSyntax(
        name: "telemetry status",
        summary: "Says what waits, what was lost, and why nothing is sent.",
        options: [TelemetryData.option, .init("--json", "as a JSON object")]
    )

    private let data: TelemetryData
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try TelemetryData(arguments)
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let status = try await data.openExisting().status()
        try console.output.write(status.json, or: status.lines.joined(separator: "\n"), asJSON: isJSON)
        return .done
    }
}

extension TelemetryStatus {
    /// What keeps events from being sent, once somebody asks for it.
    private var obstacle: DeliveryObstacle? { why == .onRequest ? nil : why }

    /// The status as `telemetry status --json` prints it.
    var json: JSONObject {
        [
            "queued": .integer(Int64(queued)),
            "liveBytes": .integer(liveBytes),
            "diskBytes": .integer(diskBytes),
            "deadLettered": .integer(Int64(deadLettered)),
            "lost": .object(lost.json),
            "nextAttempt": JSONValue(nextAttempt?.rfc3339),
            "why": JSONValue(obstacle?.rawValue),
            "keyId": keyID.map { .integer(Int64($0.rawValue)) } ?? .null,
        ]
    }

    /// The status as a person reads it.
    var lines: [String] {
        var lines = [
            "queued         \(queued), \(liveBytes) bytes sealed",
            "set aside      \(deadLettered)",
            "lost           \(lost.isEmpty ? "none" : lost.words)",
            "key            \(keyID.map { "\($0.rawValue)" } ?? "none yet")",
        ]
        if let obstacle { lines.append("not sent now   \(obstacle.words)") }
        if let nextAttempt { lines.append("next attempt   not before \(nextAttempt.rfc3339)") }
        lines.append("on disk        \(diskBytes) bytes")
        return lines
    }

    /// The status as `telemetry deliver --json` prints it.
    func deliveryJSON(_ cause: AttemptFailure?) -> JSONObject {
        [
            "delivered": .integer(Int64(delivery.delivered)),
            "deadLettered": .object(delivery.deadLettered.json),
            "queued": .integer(Int64(queued)),
            "nextAttempt": JSONValue(nextAttempt?.rfc3339),
            "why": JSONValue(obstacle?.rawValue),
            "cause": JSONValue(cause?.code),
        ]
    }

    /// The status as `telemetry deliver` says it.
    func deliverySentence(_ cause: AttemptFailure?, at now: Timestamp) -> String {
        var parts = ["\(delivery.delivered) delivered"]
        if !delivery.deadLettered.isEmpty { parts.append("set aside: \(delivery.deadLettered.words)") }
        parts.append(queued == 0 ? "nothing left in the queue" : "\(queued) left in the queue")
        if queued > 0, let obstacle { parts.append(cause?.words ?? obstacle.words) }
        if queued > 0, let nextAttempt { parts.append("try again in \((nextAttempt - now).words)") }
        return parts.joined(separator: "; ")
    }
}

extension [LossReason: Int] {
    /// The counts by reason, in the order of their names.
    var json: JSONObject {
        JSONObject(
            sorted { $0.key.rawValue < $1.key.rawValue }.map { .init($0.key.rawValue, .integer(Int64($0.value))) }
        )
    }

    /// The counts as a person reads them.
    var words: String {
        sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.words)" }.joined(separator: ", ")
    }
}
