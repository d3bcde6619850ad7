/// The compact form: `base64url(JSON) "." base64url(signature)`, signed over the decoded JSON bytes.
///
/// A `signature` member inside the JSON means nothing here.
public struct CompactFormat: TicketFormat {
    /// The format.
    public init() {}

    /// Reads a text; see `TicketFormat`.
    public func read(_ text: [UInt8]) -> TicketReading {
        text.withUnsafeBufferPointer { text in
            let pieces = TicketText.pieces(of: text)
            guard pieces.count == 2 else { return .foreign }
            guard let json = Base64URL.codec.decode(pieces[0]), Base64URL.codec.decode(pieces[1]) != nil else {
                return TicketText.shape(of: text) == .pieces(2) ? .malformed(.encoding) : .foreign
            }
            return TicketReading {
                let members = try json.withUnsafeBufferPointer(TicketMembers.init)
                guard let signature = TicketSignature.decode(pieces[1]) else { throw MalformedReason.signature }
                return try members.reading(signature: signature, signedBytes: json)
            }
        }
    }
}

/// A JWS in compact serialisation (RFC 7515, section 7.1) whose payload is the JSON of a ticket.
///
/// The header's `alg` must be `EdDSA` (RFC 8037, section 3.1): `none` and all others are refused, and so are `crit`
/// and `b64` (RFC 7515, section 4.1.11; RFC 7797), which change what a signature means. `kid` names the key; a `keyId`
/// in the payload that says otherwise is refused. The signed bytes are the ASCII of `header.payload` as received.
public struct JWSFormat: TicketFormat {
    /// The format.
    public init() {}

    /// Reads a text; see `TicketFormat`.
    public func read(_ text: [UInt8]) -> TicketReading {
        text.withUnsafeBufferPointer { text in
            let pieces = TicketText.pieces(of: text)
            guard pieces.count == 3 else { return .foreign }
            guard let header = Base64URL.codec.decode(pieces[0]), let json = Base64URL.codec.decode(pieces[1]),
                Base64URL.codec.decode(pieces[2]) != nil
            else { return TicketText.shape(of: text) == .pieces(3) ? .malformed(.encoding) : .foreign }
            return TicketReading {
                let kid = try Self.keyID(inHeader: header)
                let members = try json.withUnsafeBufferPointer(TicketMembers.init)
                guard let signature = TicketSignature.decode(pieces[2]) else { throw MalformedReason.signature }
                let signed = Array(text[..<(pieces[0].count + 1 + pieces[1].count)])
                var ticket = try members.ticket(signature: signature, signedBytes: signed)
                if let kid {
                    guard ticket.keyID?.isExactly(kid) ?? true else { throw MalformedReason.header }
                    ticket.keyID = kid
                }
                return members.areComplete ? .ticket(ticket) : .incomplete(ticket)
            }
        }
    }

    private static func keyID(inHeader bytes: [UInt8]) throws -> String? {
        let header = try JSONValue.parse(bytes, limits: TicketMembers.limits)
        guard header["alg"]?.stringValue == "EdDSA", header["crit"] == nil, header["b64"] == nil else {
            throw MalformedReason.header
        }
        guard let kid = header["kid"] else { return nil }
        guard let text = kid.stringValue, !text.isEmpty else { throw MalformedReason.header }
        return text
    }
}
