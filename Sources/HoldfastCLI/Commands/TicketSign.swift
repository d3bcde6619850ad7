import HoldfastKit

/// `ticket sign`: the text of a ticket's code, from its claims and an issuer's secret key.
struct TicketSign: Command {
    static let syntax = CommandSyntax(
        name: "ticket sign",
        summary: "Signs the claims on standard input and prints the text of the code.",
        options: [
            .init("--key", "FILE", is: .required, "the issuer's secret key, PKCS#8 PEM"),
            .init("--format", "F", "holdfast (default), canonical, compact or jws"),
        ],
        notes: """
            The claims are one JSON object, signed as it is written, such as
              {"ticketId":"T1","eventId":"EV1","zoneId":"GA","issuedAt":"2026-04-01T09:00:00Z",
               "validFrom":"2026-05-01T16:00:00Z","validTo":"2026-05-02T00:00:00Z"}
            These six are needed; times are RFC 3339 or whole Unix seconds. keyId, entries and others may be there too.

            A key configuration is signed with --format compact, for gates that trust one configuration key (holdfast gate
            install-config --trust).
            """
    )

    private let keyFile: String
    private let format: TicketIssuer.Format

    init(_ arguments: Arguments) throws {
        keyFile = try arguments.required("--key")
        let kind = "one of holdfast, canonical, compact and jws"
        format = try arguments.value("--format", as: kind, TicketIssuer.Format.init) ?? .holdfast
    }

    func run(on console: Console) async throws -> ExitCode {
        let pem = String(decoding: try Files.read(keyFile, limit: 65_536), as: UTF8.self)
        // What OpenSSL has to say about it could quote it.
        guard let key = try? SigningKey(pem: pem) else {
            throw CommandFailure("\(keyFile) is not an Ed25519 secret key in PEM without a pass phrase")
        }
        let json = try console.input.readAll(limit: 16 * 1024 * 1024)
        try console.output.write(try text(of: json, signedWith: key) + "\n")
        return .done
    }

    private func text(of json: [UInt8], signedWith key: SigningKey) throws -> String {
        let value: JSONValue
        do {
            value = try JSONValue.parse(json)
        } catch let error as JSONError {
            throw CommandFailure("the claims are \(explain(error))")
        }
        if format == .compact, value["events"] != nil {
            return "\(Base64URL.encode(json)).\(Base64URL.encode(try key.sign(json)))"
        }
        do {
            let keyID = value["keyId"]?.stringValue
            return try TicketIssuer.text(claims: json, as: format, keyID: keyID, sign: key.sign)
        } catch let reason as MalformedReason {
            throw CommandFailure("the claims make no ticket: \(reason.words)")
        }
    }
}
