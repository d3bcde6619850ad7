import HoldfastKit

/// `gate export`: every record, oldest first.
struct GateExport: Command {
    static let syntax = CommandSyntax(
        name: "gate export",
        summary: "Prints every record, oldest first, whatever has become of it.",
        options: [GateData.option, .init("--json", "one JSON object a line")]
    )

    private let data: GateData
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try GateData(arguments)
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let gate = try await data.openExisting()
        var last: Int64 = 0
        while true {
            let page = try await gate.records(after: last)
            guard let end = page.last?.sequence else { return .done }
            last = end
            // A page at a time: memory does not grow with the journal.
            var text: [UInt8] = []
            for record in page { text += isJSON ? record.json + [0x0a] : Array("\(record.line)\n".utf8) }
            // Who stops reading, such as `head`, has what was asked for.
            do { try console.output.write(text) } catch is NobodyReads { return .done }
        }
    }
}

extension StoredRecord {
    /// The record as a person reads it.
    fileprivate var line: String {
        guard let record else { return "\(sequence)  \(recordedAt.rfc3339)  cannot be opened  \(state.name)" }
        let ticket = record.ticketID.map(printable) ?? "-"
        let reasons = record.reasons.map(\.words).joined(separator: ", ")
        let verdict =
            record.annuls.map { "ANNULLED  \(ticket)  scan \($0)" }
            ?? (record.reasons.isEmpty ? "ACCEPTED  \(ticket)" : "DENIED    \(ticket)  \(reasons)")
        var words = state.name
        if case .rejected(let reason?) = state { words += ": \(printable(reason))" }
        return "\(sequence)  \(record.at.wall.rfc3339)  \(printable(record.gate))  \(verdict)  \(words)"
    }
}
