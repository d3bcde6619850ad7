/// The events a gate knows, with their keys and rules: parsed once, immutable, and the same for every scan.
public struct KeyConfiguration: Equatable, Sendable {
    /// Its version: a newer one replaces an older one, never the other way round.
    public let version: Int64
    /// When it was made, if it says so.
    public let issuedAt: Timestamp?
    /// The events, in written order; at least one.
    public let events: [TicketEvent]
    /// How far before its window a ticket is taken already.
    public let toleranceBefore: Interval
    /// How far after its window a ticket is taken still.
    public let toleranceAfter: Interval

    private let index: [ExactText: Int]

    /// A configuration of these parts. Of two events with one id the first counts.
    public init(
        version: Int64,
        issuedAt: Timestamp? = nil,
        events: [TicketEvent],
        toleranceBefore: Interval = .zero,
        toleranceAfter: Interval = .zero
    ) {
        self.version = version
        self.issuedAt = issuedAt
        self.events = events
        self.toleranceBefore = toleranceBefore
        self.toleranceAfter = toleranceAfter
        index = Dictionary(
            events.enumerated().map { (ExactText($1.id), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The event of this id, compared by its UTF-8 bytes.
    public func event(_ id: String) -> TicketEvent? { index[ExactText(id)].map { events[$0] } }
}

/// One event of a configuration. Ids and names are compared by their UTF-8 bytes.
public struct TicketEvent: Equatable, Sendable {
    /// How the event's tickets are written.
    public enum Format: String, Hashable, Sendable {
        /// Holdfast JSON, compact or JWS, told apart by their shape.
        case holdfast
        /// Holdfast JSON, signed over its canonical form (RFC 8785).
        case canonical
        /// pretix's signed secrets.
        case pretix
    }

    /// Its id.
    public let id: String
    /// The IANA name of its time zone, for admission per day.
    public let timeZone: String
    /// How its tickets are written.
    public let format: Format
    /// Its keys, in written order; at least one.
    public let keys: [IssuerKey]
    /// How its tickets may be used, where they do not say so themselves.
    public let admission: Admission

    private let zones: [ExactText: Set<ExactText>]
    private let products: [ExactText: String]
    private let revoked: RevocationList

    /// How tickets may be used.
    public struct Admission: Hashable, Sendable {
        /// How many entries a ticket allows that does not say so itself; at least 1.
        public var entries = 1
        /// Whether coming back after an exit scan is free.
        public var allowsReentry = false
        /// Whether entries count anew each day.
        public var isPerDay = false

        /// Admission once.
        public init() {}
    }

    /// An event of these parts. A pair's key is the name as a ticket writes it.
    public init(
        id: String,
        timeZone: String = "UTC",
        format: Format = .holdfast,
        keys: [IssuerKey],
        admission: Admission = Admission(),
        zones: [(ticketZone: String, opens: [String])] = [],
        products: [(product: String, zone: String)] = [],
        revoked: [String] = []
    ) {
        self.id = id
        self.timeZone = timeZone
        self.format = format
        self.keys = keys
        self.admission = admission
        self.zones = Dictionary(
            zones.map { (ExactText($0.ticketZone), Set($0.opens.map(ExactText.init))) },
            uniquingKeysWith: { $0.union($1) }
        )
        self.products = Dictionary(
            products.map { (ExactText($0.product), $0.zone) },
            uniquingKeysWith: { first, _ in first }
        )
        self.revoked = RevocationList(revoked)
    }

    /// The key of this id.
    public func key(_ id: String) -> IssuerKey? {
        keys.first { $0.id?.isExactly(id) ?? false }
    }

    /// Whether the ticket of this id was revoked. The time it takes does not grow with the list.
    public func isRevoked(_ ticket: String) -> Bool { revoked.contains(ticket) }

    /// The zone of a product; its own name where the configuration names none.
    public func zone(ofProduct product: String) -> String { products[ExactText(product)] ?? product }

    /// Whether a ticket for zone `ticketZone` opens a gate of zone `gateZone`.
    public func zone(_ ticketZone: String, opens gateZone: String) -> Bool {
        ticketZone.isExactly(gateZone) || zones[ExactText(ticketZone)]?.contains(ExactText(gateZone)) ?? false
    }
}

/// The ids of revoked tickets.
struct RevocationList: Equatable, Sendable {
    private let ids: Set<ExactText>

    init(_ ids: [String]) { self.ids = Set(ids.lazy.map(ExactText.init)) }

    func contains(_ id: String) -> Bool { ids.contains(ExactText(id)) }
}
