/// Writes the text of a ticket's code: the issuer's half of the formats. Pure; the secret key stays with the caller.
public enum TicketIssuer {
    /// The ways of writing a ticket.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// As `HoldfastFormat` reads it.
        case holdfast
        /// As `CanonicalFormat` reads it.
        case canonical
        /// As `CompactFormat` reads it.
        case compact
        /// As `JWSFormat` reads it.
        case jws
    }

    /// Signs the claims of one ticket and writes its text.
    ///
    /// The claims are signed as they are written, whitespace inside included; whitespace around them is dropped. The
    /// result is read back before it is returned, so that no ticket is issued that a gate would call malformed.
    ///
    /// - Parameters:
    ///   - claims: The JSON of the ticket without `signature`; see `HoldfastFormat` for its members.
    ///   - format: How the text is built.
    ///   - keyID: For `jws` the `kid` of the header; the other formats name a key by the claims' own `keyId`.
    ///   - sign: The 64-byte Ed25519 signature over the bytes it is given.
    /// - Throws: `MalformedReason` for claims that make no ticket, `tooLong` if the text would be; what `sign` throws.
    public static func text(
        claims: [UInt8],
        as format: Format,
        keyID: String? = nil,
        sign: (_ bytes: [UInt8]) throws -> [UInt8]
    ) throws -> String {
        let json = trimmed(claims)
        let object = try object(in: json)
        let text: String
        switch format {
        case .holdfast:
            text = Base64URL.encode(inserting(try sign(json), into: json))
        case .canonical:
            let signed = try canonical(object)
            text = Base64URL.encode(inserting(try sign(signed), into: json))
        case .compact:
            text = Base64URL.encode(json) + "." + Base64URL.encode(try sign(json))
        case .jws:
            var header: JSONObject = ["alg": "EdDSA"]
            header["kid"] = keyID.map(JSONValue.string)
            let signed = Base64URL.encode(try JSONValue.object(header).encoded()) + "." + Base64URL.encode(json)
            text = signed + "." + Base64URL.encode(try sign(Array(signed.utf8)))
        }
        switch TicketReader(format == .canonical ? .canonical : .holdfast).read(text) {
        case .ticket: return text
        case .malformed(let reason): throw reason
        case .incomplete(let ticket): throw MalformedReason.member.about(ticket.missingMember)
        case .foreign: throw MalformedReason.encoding
        }
    }

    private static func object(in json: [UInt8]) throws -> JSONObject {
        guard let object = (try? JSONValue.parse(json, limits: TicketMembers.limits))?.objectValue else {
            // Reading a ticket does not say either what exactly is wrong with its JSON.
            throw MalformedReason.json
        }
        guard object["signature"] == nil else { throw MalformedReason.signature }
        let members = try json.withUnsafeBufferPointer(TicketMembers.init)
        if let missing = try members.ticket(signature: [], signedBytes: []).missingMember {
            throw MalformedReason.member.about(missing)
        }
        return object
    }

    private static func canonical(_ object: JSONObject) throws -> [UInt8] {
        do {
            return try JSONValue.object(object).canonical(limits: TicketMembers.limits)
        } catch {
            throw MalformedReason.json
        }
    }

    /// The object with a `signature` member at its end, which leaves exactly the bytes before when it is cut out.
    private static func inserting(_ signature: [UInt8], into json: [UInt8]) -> [UInt8] {
        json.dropLast() + Array(",\"signature\":\"\(Base64URL.encode(signature))\"}".utf8)
    }

    private static func trimmed(_ json: [UInt8]) -> [UInt8] {
        func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }
        var json = json[...]
        while let last = json.last, isWhitespace(last) { json.removeLast() }
        return Array(json.drop(while: isWhitespace))
    }
}
