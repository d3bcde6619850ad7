/// What a ticket says, as a host shows it. Only that of an accepted or verified ticket may be believed.
public struct TicketClaims: Hashable, Sendable {
    /// The ticket's own id.
    public var ticketID: String
    /// Its event: the one it names or, where the format names none, the one whose key verified it; nil if none did.
    public var eventID: String?
    /// Its zone, or that of its product; nil where the product could not be mapped for want of an event.
    public var zoneID: String?
    /// When it was issued, if it says so.
    public var issuedAt: Timestamp?
    /// From when it is valid (inclusive); nil for always.
    public var validFrom: Timestamp?
    /// Until when it is valid (exclusive); nil for ever.
    public var validTo: Timestamp?
    /// The id of the key that verified it or, failing that, of the key that it names.
    public var keyID: String?
    /// The bytes of its signature.
    public var signature: [UInt8]

    /// What `ticket` says, before anything has been looked up.
    public init(_ ticket: Ticket) {
        ticketID = ticket.id
        eventID = ticket.event
        zoneID = ticket.zone
        issuedAt = ticket.issuedAt
        validFrom = ticket.validFrom
        validTo = ticket.validTo
        keyID = ticket.keyID
        signature = ticket.signature
    }
}
