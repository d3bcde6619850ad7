import HoldfastKit

/// `gate rotate-key`: a new key for what is recorded from now on.
struct GateRotateKey: Command {
    static let syntax = CommandSyntax(
        name: "gate rotate-key",
        summary: "Makes a new key; older records keep theirs until they are removed.",
        options: [
            GateData.option,
            .init("--reseal", "seal older records anew, so that their keys can be destroyed now"),
            .init("--json", "say the new key's number as a JSON object"),
        ],
        notes: """
            Gates that are running go on, and follow. Where the newest key is damaged, nothing can be recorded until there is
            a new one; what the damaged one has sealed stays as it is.
            """
    )

    private let data: GateData
    private let reseals: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        data = try GateData(arguments)
        reseals = arguments.has("--reseal")
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let gate = try await data.openExisting()
        let key = try await gate.rotateKey()
        if reseals {
            let unopened = try await gate.resealRecords()
            try await gate.keepHouse()
            if unopened > 0 { console.complain("\(unopened.asRecords) cannot be opened; gate status says why") }
        }
        try console.output.write(key.json, or: key.sentence, asJSON: isJSON)
        return .done
    }
}
