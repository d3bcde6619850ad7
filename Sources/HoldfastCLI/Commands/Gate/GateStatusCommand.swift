import HoldfastKit

/// `gate status`: how a gate stands.
struct GateStatusCommand: Command {
    static let syntax = CommandSyntax(
        name: "gate status",
        summary: "Says which configuration is in force and what waits to be handed over.",
        options: [GateData.option, .init("--json", "as a JSON object")]
    )

    private let data: GateData
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try GateData(arguments)
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let status = try await data.openExisting().status()
        try console.output.write(status.json, or: status.lines.joined(separator: "\n"), asJSON: isJSON)
        return .done
    }
}

extension GateStatus {
    /// The status as `gate status --json` prints it.
    var json: JSONObject {
        [
            "configVersion": configurationVersion.map(JSONValue.integer) ?? .null,
            "configDate": JSONValue(configurationDate?.rfc3339),
            "configFailure": JSONValue(configurationFailure?.code.rawValue),
            "events": .array(events.map(JSONValue.string)),
            "journalLostAt": JSONValue(journalLostAt?.rfc3339),
            "recordsWithoutKey": .integer(Int64(lostRecords)),
            "damagedKeys": .array(damagedKeys.keys.sorted().map { .integer(Int64($0.rawValue)) }),
            "newestKeyDamaged": .bool(isNewestKeyDamaged),
            "lost": lost.map { .object($0.json) } ?? .null,
            "clock": .string(clock.rawValue),
            "queued": .integer(Int64(queued)),
            "delivered": .integer(Int64(delivered)),
            "rejected": .integer(Int64(setAside)),
            "oldestQueued": JSONValue(oldestQueued?.rfc3339),
            "lastSequence": .integer(lastSequence),
            "diskBytes": .integer(diskBytes),
            "waitMs": .integer((wait > .zero ? wait : deferral).milliseconds),
            "why": JSONValue(why?.rawValue),
        ]
    }

    /// The status as a person reads it.
    var lines: [String] {
        let names = events.map(printable).joined(separator: ", ")
        let since = configurationDate.map { " of \($0.rfc3339)" } ?? ""
        var lines = [configurationVersion.map { "configuration  \($0)\(since): \(names)" } ?? "configuration  none"]
        if let configurationFailure {
            lines.append("               the stored one is not in force: \(configurationFailure.words)")
        }
        if let journalLostAt {
            lines.append("journal        lost before \(journalLostAt.rfc3339): what was used by then is not known")
        }
        if let lost { lines.append("lost           \(lost.words)") }
        if lostRecords > 0 { lines.append("keys           gone from the vault: those of \(lostRecords.asRecords)") }
        for (key, count) in damagedKeys.sorted(by: { $0.key < $1.key }) {
            lines.append("keys           \(key.words) is damaged: \(count.asRecords) cannot be opened; \(KeyID.advice)")
        }
        if isNewestKeyDamaged {
            lines.append("keys           the newest is damaged: nothing is recorded until gate rotate-key makes one")
        }
        lines.append("clock          \(clock.rawValue)")
        lines.append("records        \(lastSequence), \(queued) queued, \(delivered) delivered, \(setAside) rejected")
        if let oldestQueued { lines.append("oldest queued  \(oldestQueued.rfc3339)") }
        if let why {
            lines.append("next attempt   in \((wait > .zero ? wait : deferral).words): \(why.words)")
        }
        lines.append("on disk        \(diskBytes) bytes")
        return lines
    }
}

extension JournalLoss {
    fileprivate var json: JSONObject {
        ["atLeast": atLeast.map { .integer(Int64($0)) } ?? .null, "noticed": .string(noticed.rfc3339)]
    }

    fileprivate var words: String {
        let number = atLeast.map { "at least \($0.asRecords)" } ?? "an unknown number of records"
        return "\(number), by damage noticed at \(noticed.rfc3339): whether their tickets were used is not known"
    }
}

// A gate's key that is damaged in the vault.
extension KeyID {
    /// What to do about it.
    static let advice = "restore it from a backup, or delete it to give them up"
    /// The key as it is called in a gate's vault.
    var words: String { "vault/gate.key.\(rawValue)" }
}

extension Int {
    /// So many records, as a person says it.
    var asRecords: String { self == 1 ? "1 record" : "\(self) records" }
}
