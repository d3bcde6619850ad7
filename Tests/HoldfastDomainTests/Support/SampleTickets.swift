import HoldfastDomain

/// Tickets written by hand, with a signature that only looks like one: reading does not verify.
enum SampleTickets {
    static let signature = (0..<64).map { UInt8($0 &* 3 &+ 1) }
    static let signatureText = Base64URL.encode(signature)

    static let claims = """
        {"ticketId":"T-1","eventId":"EV1","zoneId":"GA","issuedAt":"2026-05-01T00:00:00Z",\
        "validFrom":"2026-06-01T10:00:00+03:00","validTo":1780358400
        """ + "}"

    static let holdfast = text(signed(claims))
    static let compact = Base64URL.encode(Array(claims.utf8)) + "." + signatureText
    static let jws = jws(header: #"{"alg":"EdDSA","kid":"k1"}"#)
    /// Made for these tests: seed "seed-0001", item 42, valid until 1 700 000 000.
    static let pretix = pretix(payload: [0x0a, 9] + Array("seed-0001".utf8) + [0x10, 42, 0x28, 0, 0x30] + seconds)

    private static let seconds: [UInt8] = [0x80, 0xe2, 0xcf, 0xaa, 0x06]

    static func text(_ json: String) -> String { Base64URL.encode(Array(json.utf8)) }

    /// `claims` with the signature as their last member.
    static func signed(_ claims: String) -> String {
        String(claims.dropLast()) + ",\"signature\":\"\(signatureText)\"}"
    }

    static func jws(header: String, claims: String = claims, signature: String = signatureText) -> String {
        text(header) + "." + text(claims) + "." + signature
    }

    static func pretix(payload: [UInt8], version: UInt8 = 1, signature: [UInt8] = signature) -> String {
        let lengths = [payload.count >> 8, payload.count & 255, signature.count >> 8, signature.count & 255]
        let bytes = [version] + lengths.map { UInt8($0) } + payload + signature
        return String(Base64.encode(bytes).reversed())
    }
}

extension TicketReading {
    var ticket: Ticket? {
        guard case .ticket(let ticket) = self else { return nil }
        return ticket
    }
}
