import HoldfastKit

/// `gate install-config`: puts a key configuration in force.
struct GateInstallConfig: Command {
    static let syntax = CommandSyntax(
        name: "gate install-config",
        summary: "Puts a key configuration in force; the one before stays if this one is not good.",
        operand: "FILE",
        options: [
            GateData.option,
            .init("--trust", "CONFIG-KEY", "take it only if this key signed it: base64url, or a file with it or PEM"),
            .init("--json", "say what is in force as a JSON object"),
        ],
        notes: "FILE is JSON or its signed compact form; - reads standard input."
    )

    private let file: String
    private let data: GateData
    private let trusted: PublicKey?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        file = arguments.operand ?? "-"
        data = try GateData(arguments)
        trusted = try arguments.value("--trust", as: "a public key, nor a file with one", Self.key)
        isJSON = arguments.has("--json")
    }

    func run(on console: Console) async throws -> ExitCode {
        let bytes = try Files.read(file)
        var policy = GateData.policy
        policy.configurationKey = trusted
        let gate = try await data.open(policy: policy)
        let installed = try await gate.install(configuration: bytes)
        if isJSON {
            let events = installed.events.map { JSONValue.string($0.id) }
            try console.output.write(["version": .integer(installed.version), "events": .array(events)])
        } else {
            let events = installed.events.map { printable($0.id) }.joined(separator: ", ")
            try console.output.write("configuration \(installed.version) is in force: \(events)\n")
        }
        return .done
    }

    private static func key(_ text: String) -> PublicKey? {
        if let key = PublicKey(text: text) { return key }
        guard let bytes = try? Files.read(text, limit: 65_536) else { return nil }  // then it is no key either
        let content = String(decoding: bytes, as: UTF8.self)
        return PublicKey(text: content)
            ?? content.split(whereSeparator: \.isWhitespace).first
            .flatMap { PublicKey(text: String($0)) }
    }
}
