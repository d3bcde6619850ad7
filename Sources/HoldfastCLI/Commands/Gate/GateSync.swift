import HoldfastKit

/// `gate sync`: hands the records over to a server.
struct GateSync: Command {
    static let syntax = CommandSyntax(
        name: "gate sync",
        summary: "Hands queued records over, oldest first, until none is left or something is in the way.",
        options: [
            GateData.option,
            .init("--to", "URL", is: .required, "where to POST {\"records\":[…]}"),
            .init("--token-file", "F", "a file whose first line is the bearer token; read anew for each batch"),
            .init("--ca-file", "F", "trust servers by these certificates (PEM) instead of the system's"),
            .init("--json", "report as a JSON object"),
        ],
        notes: """
            A wait that the server ordered is kept, by this command and the next; no other wait is. Records are sent at least
            once, with one id each.
            """,
        done: "nothing is left in the queue",
        failed: "something is left in the queue, or it failed; standard error says why, and when to try again"
    )

    private let data: GateData
    private let url: String
    private let tokens: FileTokens?
    private let certificates: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try GateData(arguments)
        url = try arguments.url("--to")
        tokens = arguments["--token-file"].map(FileTokens.init)
        certificates = arguments["--ca-file"]
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let gate = try await data.openExisting()
        let attempt = LastAttempt()
        let sender = HTTPRecordSender(
            endpoint: url,
            token: tokens,
            transport: PlatformTransport(configuration: .init(trustedCertificates: certificates)),
            clock: PlatformClock(),
            onServerTime: { anchor in
                // The anchor holds in memory whether or not it could be kept.
                try? await gate.anchor(anchor)
            },
            onAttempt: { await attempt.ended(with: $0) }
        )
        let report = await gate.sync(via: sender, ignoringBackOff: true)
        let status = try await gate.status()
        let queued = status.queued
        let cause = await attempt.cause(of: report.obstacle)
        let words = report.sentence(queued: queued)
        try console.output.write(report.json(queued: queued, cause), or: words, asJSON: isJSON)
        if gate.hasLostSecret, report.obstacle == .deferred { throw KeyVaultError(.lost) }
        if let key = status.damagedKeys.keys.min(), report.obstacle == .deferred {
            throw CommandFailure("records wait for \(key.words), which is damaged: \(KeyID.advice)")
        }
        guard let obstacle = report.obstacle else { return queued == 0 ? .done : .failed }
        let when = report.wait.map { "; try again in \($0.words)" } ?? ""
        let complaint = obstacle == .tokenUnavailable ? tokens?.complaint : cause?.words
        console.complain("\(complaint ?? obstacle.words)\(when)")
        return .failed
    }
}

extension SyncReport {
    /// The report as `gate sync --json` prints it.
    func json(queued: Int, _ cause: AttemptFailure?) -> JSONObject {
        [
            "delivered": .integer(Int64(delivered)),
            "duplicates": .integer(Int64(duplicates)),
            "rejected": .integer(Int64(setAside.values.reduce(0, +))),
            "retried": .integer(Int64(retried)),
            "queued": .integer(Int64(queued)),
            "why": JSONValue(obstacle?.rawValue),
            "cause": JSONValue(cause?.code),
            "waitMs": wait.map { .integer($0.milliseconds) } ?? .null,
        ]
    }

    /// The report as a person reads it.
    func sentence(queued: Int) -> String {
        var parts = ["\(delivered) handed over"]
        if duplicates > 0 { parts[0] += " (\(duplicates) of them known there already)" }
        let refused = setAside.values.reduce(0, +)
        if refused > 0 { parts.append("\(refused) refused and set aside") }
        parts.append(queued == 0 ? "nothing left in the queue" : "\(queued) left in the queue")
        return parts.joined(separator: "; ")
    }
}
