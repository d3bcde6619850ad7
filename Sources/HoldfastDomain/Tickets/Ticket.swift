/// A ticket as it was read, before anything about it has been believed.
public struct Ticket: Hashable, Sendable {
    /// The ticket's own id.
    public var id: String
    /// The event it names; nil where the format names none (the event is then the one whose key verifies).
    public var event: String?
    /// The zone it names; nil where the format names a product instead.
    public var zone: String?
    /// The product it names, to be mapped to a zone by the configuration.
    public var product: String?
    /// The key it names; nil where any usable key of the event may verify it.
    public var keyID: String?
    /// When it was issued, if it says so.
    public var issuedAt: Timestamp?
    /// From when it is valid (inclusive); nil for always.
    public var validFrom: Timestamp?
    /// Until when it is valid (exclusive); nil for ever.
    public var validTo: Timestamp?
    /// How many entries it allows, if it says so; at least 1.
    public var entries: Int?
    /// The 64 bytes of its signature.
    public var signature: [UInt8]
    /// The bytes that the signature must cover, exactly as received.
    public var signedBytes: [UInt8]

    /// A ticket of these parts.
    public init(
        id: String,
        event: String? = nil,
        zone: String? = nil,
        product: String? = nil,
        keyID: String? = nil,
        issuedAt: Timestamp? = nil,
        validFrom: Timestamp? = nil,
        validTo: Timestamp? = nil,
        entries: Int? = nil,
        signature: [UInt8],
        signedBytes: [UInt8]
    ) {
        self.id = id
        self.event = event
        self.zone = zone
        self.product = product
        self.keyID = keyID
        self.issuedAt = issuedAt
        self.validFrom = validFrom
        self.validTo = validTo
        self.entries = entries
        self.signature = signature
        self.signedBytes = signedBytes
    }
}

extension Ticket {
    /// The first member that it lacks of those that a ticket in JSON must have beside its id and event; nil if it has all.
    public var missingMember: String? {
        if zone == nil { return "zoneId" }
        if issuedAt == nil { return "issuedAt" }
        if validFrom == nil { return "validFrom" }
        return validTo == nil ? "validTo" : nil
    }
}

/// Reads one way of writing tickets. Pure and total: any bytes give an answer, none traps.
public protocol TicketFormat: Sendable {
    /// Reads a text that scanners' additions have been stripped from.
    func read(_ text: [UInt8]) -> TicketReading
}

/// What reading a text came to.
public enum TicketReading: Hashable, Sendable {
    /// A ticket, whole but not yet verified.
    case ticket(Ticket)
    /// Not of this format at all, by its shape.
    case foreign
    /// Of this format, but broken.
    case malformed(MalformedReason)
    /// Of this format, and the signature can be checked, but a member that must be there is missing: the issuer's own
    /// mistake if the signature is good, else somebody's forgery.
    case incomplete(Ticket)
}

/// What is wrong with a text that has a ticket's shape; open, so that reasons can be added. Reading answers with it;
/// issuing throws it. Two are equal if their names are, whichever member they are about.
public struct MalformedReason: Error, Hashable, Sendable {
    /// The stable name of the reason.
    public let rawValue: String
    /// The member of a ticket that it is about, such as `zoneId`, if it is about one; never its value.
    public private(set) var memberName: String?
    /// The reason of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The same reason, about this member.
    public func about(_ memberName: String?) -> MalformedReason {
        var reason = self
        reason.memberName = memberName
        return reason
    }

    /// Whether both have the same name.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawValue == rhs.rawValue }
    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Nothing there.
    public static let empty = MalformedReason("empty")
    /// Longer than any ticket may be.
    public static let tooLong = MalformedReason("too_long")
    /// Not canonical base64url.
    public static let encoding = MalformedReason("encoding")
    /// Not strict JSON, or a member twice, or nested too deep.
    public static let json = MalformedReason("json")
    /// A required member is missing or of the wrong kind.
    public static let member = MalformedReason("member")
    /// A time that is none, or a window that ends before it begins.
    public static let time = MalformedReason("time")
    /// No signature of 64 bytes.
    public static let signature = MalformedReason("signature")
    /// A signed header that asks for what is not allowed.
    public static let header = MalformedReason("header")
    /// A binary structure that does not add up.
    public static let structure = MalformedReason("structure")
}
