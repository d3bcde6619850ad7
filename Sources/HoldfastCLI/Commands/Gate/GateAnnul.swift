import HoldfastKit

/// `gate annul`: a supervisor takes an admission back.
struct GateAnnul: Command {
    static let syntax = CommandSyntax(
        name: "gate annul",
        summary: "Takes an admission back: one more record, after which the ticket may be used as if without it.",
        operand: "SCAN-ID",
        options: [
            GateData.option, .init("--gate", "G", "the gate's name for the records (default: gate)"),
            .init("--json", "print the new record as a JSON object"),
        ]
    )

    private let data: GateData
    private let scanID: EntryID
    private let gate: String
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try GateData(arguments)
        guard let id = EntryID(arguments.operand ?? "") else { throw UsageError("SCAN-ID is not a scan's id") }
        scanID = id
        gate = arguments["--gate"] ?? "gate"
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let gate = try await data.openExisting(at: GatePlace(event: "", zone: "", gate: gate))
        do {
            let record = try await gate.annul(scanID)
            try console.output.write(
                isJSON ? record.json + [0x0a] : Array("annulled by record \(record.sequence)\n".utf8)
            )
            return .done
        } catch let failure as GateFailure {
            throw CommandFailure(failure.words)
        }
    }
}
