/// Holdfast JSON, the default: `base64url(JSON)` with the signature among the members.
///
/// The signed bytes are the received JSON with the top-level `signature` member cut out: everything from the opening
/// quote of its name to the end of its value and, if a comma follows (after whitespace or none), through that comma;
/// otherwise from the comma before it to the end of its value. Whitespace outside of that stays. So an issuer in any
/// language signs its JSON as it is, then inserts the member:
///
///     {"ticketId":"T1","eventId":"E1"}                     signed
///     {"ticketId":"T1","eventId":"E1","signature":"…"}     shown
///     {"signature":"…","ticketId":"T1","eventId":"E1"}     shown as well
///
/// Any text of base 64 digits is taken for a ticket, so that one with padding or in the other alphabet is malformed
/// rather than unknown; so is a text that begins like a ticket or has a NUL or a byte order mark in it.
public struct HoldfastFormat: TicketFormat {
    /// The format.
    public init() {}

    /// Reads a text; see `TicketFormat`.
    public func read(_ text: [UInt8]) -> TicketReading {
        text.withUnsafeBufferPointer { text in
            JSONTicket.read(text) { json, cut in
                var signed: [UInt8] = []
                signed.reserveCapacity(json.count - cut.count)
                signed.append(contentsOf: UnsafeBufferPointer(rebasing: json[..<cut.lowerBound]))
                signed.append(contentsOf: UnsafeBufferPointer(rebasing: json[cut.upperBound...]))
                return signed
            }
        }
    }
}

/// Holdfast JSON whose issuer canonicalises: the same text, but the signed bytes are the RFC 8785 form (JCS) of the
/// object without its top-level `signature` member.
///
/// A number that RFC 8785 cannot say makes the ticket malformed.
public struct CanonicalFormat: TicketFormat {
    /// The format.
    public init() {}

    /// Reads a text; see `TicketFormat`.
    public func read(_ text: [UInt8]) -> TicketReading {
        text.withUnsafeBufferPointer { text in
            JSONTicket.read(text) { json, _ in
                var parser = JSONParser(json, limits: TicketMembers.limits)
                guard case .object(var object) = try parser.document() else { throw MalformedReason.json }
                object["signature"] = nil
                return try JSONValue.object(object).canonical(limits: TicketMembers.limits)
            }
        }
    }
}

/// What the two formats with the signature inside the JSON share.
private enum JSONTicket {
    static func read(
        _ text: UnsafeBufferPointer<UInt8>,
        signedBytes: (_ json: UnsafeBufferPointer<UInt8>, _ signature: Range<Int>) throws -> [UInt8]
    ) -> TicketReading {
        guard let json = Base64URL.codec.decode(text) else {
            switch TicketText.shape(of: text) {
            case .pieces(1), .damaged: return .malformed(.encoding)
            case .pieces, .other: return .foreign
            }
        }
        return json.withUnsafeBufferPointer { json in
            TicketReading {
                let members = try TicketMembers(json)
                guard let signature = members.signature, let range = members.signatureRange else {
                    throw MalformedReason.signature
                }
                return try members.reading(signature: signature, signedBytes: signedBytes(json, range))
            }
        }
    }
}
