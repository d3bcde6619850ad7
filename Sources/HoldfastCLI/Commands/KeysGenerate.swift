import Glibc
import HoldfastKit

/// `keys generate`: a key pair for an issuer, and the configuration that lets a gate know it.
struct KeysGenerate: Command {
    static let syntax = CommandSyntax(
        name: "keys generate",
        summary: "Makes an issuer's key pair and a configuration with its public half.",
        options: [
            .init("--event", "E", is: .required, "the event that the key signs tickets of"),
            .init("--key-id", "K", is: .required, "the key's name: letters, digits, '.', '_' and '-'"),
            .init("--out", "DIR", is: .required, "the folder for the three files, made if need be"),
            .init("--json", "say what was made as a JSON object"),
        ],
        notes: """
            Writes K.pem (the secret, PKCS#8, mode 0600), K.pub (the public key, base64url) and K.json (a configuration
            of version 1, ready for holdfast gate install-config). Never replaces a file.
            """
    )

    private let event: String
    private let keyID: String
    private let folder: String
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        event = try arguments.required("--event")
        keyID = try arguments.required("--key-id")
        folder = try arguments.required("--out")
        isJSON = arguments.has("--json")
        guard !event.isEmpty else { throw UsageError("--event is empty") }
        // It becomes a file name.
        let isPlain = keyID.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
                || "._-".utf8.contains(byte)
        }
        guard isPlain, !keyID.isEmpty, keyID.utf8.count <= 64, !keyID.hasPrefix(".") else {
            throw UsageError("--key-id is not 1 to 64 letters, digits, '.', '_' or '-' that begin with no '.'")
        }
    }

    func run(on console: Console) async throws -> ExitCode {
        let key = try SigningKey()
        let publicKey = Base64URL.encode(key.publicKey.bytes)
        let files = [
            (path: "\(folder)/\(keyID).pem", text: try key.pem(), mode: mode_t(0o600)),
            (path: "\(folder)/\(keyID).pub", text: publicKey + "\n", mode: 0o644),
            (path: "\(folder)/\(keyID).json", text: try configuration(publicKey) + "\n", mode: 0o644),
        ]
        try Files.makeDirectory(folder)
        var made: [String] = []
        do {
            for file in files {
                try Files.create(file.path, file.text, mode: file.mode)
                made.append(file.path)
            }
        } catch {
            made.forEach { unlink($0) }
            throw error
        }
        if isJSON {
            try console.output.write([
                "keyId": .string(keyID), "eventId": .string(event), "publicKey": .string(publicKey),
                "secretFile": .string(files[0].path), "publicFile": .string(files[1].path),
                "configurationFile": .string(files[2].path),
            ])
        } else {
            try console.output.write(
                """
                secret key     \(files[0].path) (keep it where only the issuer can read it)
                public key     \(files[1].path)
                configuration  \(files[2].path)

                """
            )
        }
        return .done
    }

    private func configuration(_ publicKey: String) throws -> String {
        let key: JSONValue = ["keyId": .string(keyID), "publicKey": .string(publicKey), "status": "active"]
        let event: JSONValue = ["eventId": .string(event), "keys": [key]]
        let root: JSONValue = ["version": 1, "events": [event]]
        return String(decoding: try root.encoded(), as: UTF8.self)
    }
}
