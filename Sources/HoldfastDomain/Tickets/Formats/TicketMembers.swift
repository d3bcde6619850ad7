/// The members of a JSON ticket, read in one pass over its bytes without building a tree.
///
/// `ticketId`, `eventId`, `zoneId` (strings), `issuedAt`, `validFrom`, `validTo` (RFC 3339, or whole Unix seconds in
/// the years 0 to 9999) are required; `keyId` (a string) and `entries` (1 or more) are optional; all others are
/// passed over. An id has at least one character, a zone may have none, and none of them has U+0000.
struct TicketMembers {
    /// How deep a ticket may nest, its own object included.
    static let limits = JSONLimits(maxDepth: 8)

    private(set) var ticketID: String?
    private(set) var eventID: String?
    private(set) var zoneID: String?
    private(set) var keyID: String?
    private(set) var issuedAt: Timestamp?
    private(set) var validFrom: Timestamp?
    private(set) var validTo: Timestamp?
    private(set) var entries: Int?
    /// The `signature`, if it is 64 bytes in canonical base64url without escapes.
    private(set) var signature: [UInt8]?
    /// Where the `signature` member stands with the comma that belongs to it, if there is one.
    private(set) var signatureRange: Range<Int>?

    private var fault: MalformedReason?

    /// - Throws: `MalformedReason`: `json` before all others, then the first fault in written order, then what is
    ///   missing, then a window that ends before it begins. A missing or bad signature is left to the format.
    init(_ json: UnsafeBufferPointer<UInt8>) throws {
        var parser = JSONParser(json, limits: Self.limits)
        do {
            try readObject(&parser)
        } catch {
            throw MalformedReason.json
        }
        if let fault { throw fault }
        // Without an event nobody can tell which keys to check it with.
        guard ticketID != nil else { throw MalformedReason.member.about("ticketId") }
        guard eventID != nil else { throw MalformedReason.member.about("eventId") }
        if let validFrom, let validTo, validFrom >= validTo { throw MalformedReason.time.about("validTo") }
    }

    /// Whether those are there too that it can be read without.
    var areComplete: Bool { zoneID != nil && issuedAt != nil && validFrom != nil && validTo != nil }

    private mutating func readObject(_ parser: inout JSONParser) throws {
        parser.cursor.skipWhitespace()
        try parser.cursor.expect(UInt8(ascii: "{"))
        var names = JSONMemberNames()
        if try !parser.cursor.closes(with: UInt8(ascii: "}")) {
            var start: Int
            var commaBefore: Int?
            var isMore: Bool
            repeat {
                parser.cursor.skipWhitespace()
                start = parser.cursor.index
                let name = try parser.cursor.memberName(among: &names)
                let isSignature = try readValue(of: name, &parser)
                let end = parser.cursor.index
                isMore = try parser.cursor.continues(until: UInt8(ascii: "}"))
                if isSignature { signatureRange = isMore ? start..<parser.cursor.index : (commaBefore ?? start)..<end }
                commaBefore = parser.cursor.index - 1
            } while isMore
        }
        parser.cursor.skipWhitespace()
        guard parser.cursor.current == nil else { throw parser.cursor.unexpected }
    }

    /// Takes one value; true if it is the signature's.
    private mutating func readValue(of name: JSONText, _ parser: inout JSONParser) throws -> Bool {
        if name.equals("ticketId") {
            ticketID = try text(&parser)
        } else if name.equals("eventId") {
            eventID = try text(&parser)
        } else if name.equals("zoneId") {
            zoneID = try text(&parser, orEmpty: true)
        } else if name.equals("keyId") {
            keyID = try text(&parser)
        } else if name.equals("issuedAt") {
            issuedAt = try time(&parser)
        } else if name.equals("validFrom") {
            validFrom = try time(&parser)
        } else if name.equals("validTo") {
            validTo = try time(&parser)
        } else if name.equals("entries") {
            entries = try count(&parser)
        } else if name.equals("signature") {
            signature = try signatureValue(&parser)
            return true
        } else if parser.cursor.current == UInt8(ascii: "\"") {
            _ = try parser.cursor.string()
        } else {
            _ = try parser.value(depth: 1)
        }
        // Only a member of a ticket can have caused it.
        if let fault, fault.memberName == nil { self.fault = fault.about(name.string) }
        return false
    }

    private mutating func text(_ parser: inout JSONParser, orEmpty mayBeEmpty: Bool = false) throws -> String? {
        guard let value = try string(&parser) else { return failed(.member) }
        let text = value.string
        guard mayBeEmpty || !text.isEmpty, !value.hasEscapes || !text.utf8.contains(0) else {
            return failed(.member)
        }
        return text
    }

    private mutating func time(_ parser: inout JSONParser) throws -> Timestamp? {
        guard parser.cursor.current == UInt8(ascii: "\"") else {
            guard case .integer(let seconds) = try parser.value(depth: 1) else { return failed(.member) }
            return Timestamp(unixSeconds: seconds) ?? failed(.time)
        }
        let value = try parser.cursor.string()
        if value.hasEscapes { return Timestamp(rfc3339: value.string) ?? failed(.time) }
        var scanner = ASCIIScanner(value.content)
        return Timestamp(rfc3339: &scanner) ?? failed(.time)
    }

    private mutating func count(_ parser: inout JSONParser) throws -> Int? {
        guard case .integer(let count) = try parser.value(depth: 1), count >= 1 else { return failed(.member) }
        return Int(exactly: count) ?? failed(.member)
    }

    private func signatureValue(_ parser: inout JSONParser) throws -> [UInt8]? {
        guard let value = try string(&parser), !value.hasEscapes else { return nil }
        return TicketSignature.decode(value.content)
    }

    /// The string at the cursor; nil where there is another value, which is stepped over.
    private func string(_ parser: inout JSONParser) throws -> JSONText? {
        guard parser.cursor.current != UInt8(ascii: "\"") else { return try parser.cursor.string() }
        _ = try parser.value(depth: 1)
        return nil
    }

    private mutating func failed<Value>(_ reason: MalformedReason) -> Value? {
        if fault == nil { fault = reason }
        return nil
    }
}

extension TicketMembers {
    /// What a ticket with these members reads as.
    func reading(signature: [UInt8], signedBytes: [UInt8]) throws -> TicketReading {
        let ticket = try ticket(signature: signature, signedBytes: signedBytes)
        return areComplete ? .ticket(ticket) : .incomplete(ticket)
    }

    /// The ticket with these members.
    func ticket(signature: [UInt8], signedBytes: [UInt8]) throws -> Ticket {
        guard let ticketID else { throw MalformedReason.member }
        return Ticket(
            id: ticketID,
            event: eventID,
            zone: zoneID,
            keyID: keyID,
            issuedAt: issuedAt,
            validFrom: validFrom,
            validTo: validTo,
            entries: entries,
            signature: signature,
            signedBytes: signedBytes
        )
    }
}

/// The signature of a ticket in text.
enum TicketSignature {
    /// How many bytes an Ed25519 signature has (RFC 8032, section 5.1.6).
    static let byteCount = 64

    /// The signature that canonical base64url spells; nil for anything else, another length included.
    static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count == 86, let bytes = Base64URL.codec.decode(text) else { return nil }
        return bytes
    }
}

extension Timestamp {
    /// The moment this many seconds after 1970-01-01T00:00:00Z; nil outside the years 0 to 9999, which are all that
    /// the other way of writing times can tell (and where milliseconds taken for seconds never are).
    init?(unixSeconds seconds: Int64) {
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow, Self.firstInRFC3339.milliseconds...Self.lastInRFC3339.milliseconds ~= milliseconds else {
            return nil
        }
        self.init(milliseconds: milliseconds)
    }
}
