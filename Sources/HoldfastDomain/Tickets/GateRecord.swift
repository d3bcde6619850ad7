/// One attempt at a gate, as it was decided: what is stored, exported and handed over. It never changes, whatever a
/// server or a supervisor says later: their words are records and notes beside it.
public struct GateRecord: Hashable, Sendable {
    /// Which way the gate lets people through.
    public enum Direction: String, Hashable, Sendable {
        /// Into the event.
        case entry = "in"
        /// Out of it.
        case exit = "out"
    }

    /// The permanent id made at the scan.
    public var scanID: EntryID
    /// The per-device sequence, without holes; 0 until it is stored.
    public var sequence: Int64
    /// The codes of everything that spoke against it, the primary one first; empty means accepted.
    public var reasons: [DenialCode]
    /// The gate's name.
    public var gate: String
    /// The event the gate is set to.
    public var gateEvent: String
    /// The zone the gate is set to.
    public var gateZone: String
    /// Which way the gate was set.
    public var direction: Direction
    /// When, by all clocks.
    public var at: ClockReading
    /// How far the wall clock could be trusted.
    public var clock: ClockConfidence
    /// The version of the key configuration that was in force; nil if there was none.
    public var configurationVersion: Int64?
    /// The ticket's id, where one could be read.
    public var ticketID: String?
    /// The event the ticket names, where one could be read.
    public var eventID: String?
    /// The zone the ticket names, where one could be read.
    public var zoneID: String?
    /// The key that verified the ticket or, failing that, the key that it names.
    public var keyID: String?
    /// The SHA-256 and length in bytes of the text, where no ticket could be read.
    public var unreadable: UnreadableText?
    /// What the ticket's use comes to with this record; nil for a denial, and for an annulment that leaves none.
    public var use: TicketUse?
    /// The scan that this record annuls; nil for an attempt.
    public var annuls: EntryID?

    /// A record of an attempt at `place`, or of an annulment there; what a ticket says and what becomes of its use are
    /// set afterwards.
    public init(
        scanID: EntryID,
        sequence: Int64 = 0,
        reasons: [DenialCode] = [],
        place: GatePlace,
        at: ClockReading,
        clock: ClockConfidence = .unanchored,
        configurationVersion: Int64? = nil
    ) {
        self.scanID = scanID
        self.sequence = sequence
        self.reasons = reasons
        gate = place.gate
        gateEvent = place.event
        gateZone = place.zone
        direction = place.direction
        self.at = at
        self.clock = clock
        self.configurationVersion = configurationVersion
    }

    /// What a record says was decided.
    public enum Verdict: String, Hashable, Sendable {
        /// Somebody was let through.
        case accepted
        /// Somebody was not.
        case denied
        /// An earlier admission was taken back.
        case annulled
    }

    /// What was decided.
    public var verdict: Verdict { annuls != nil ? .annulled : reasons.isEmpty ? .accepted : .denied }
}

/// What is kept of a text that is no ticket.
public struct UnreadableText: Hashable, Sendable {
    /// Its SHA-256.
    public var sha256: [UInt8]
    /// Its length in bytes.
    public var length: Int

    /// What is kept of a text with this hash and length.
    public init(sha256: [UInt8], length: Int) {
        self.sha256 = sha256
        self.length = length
    }
}

/// How far the device's wall clock can be trusted.
public enum ClockConfidence: String, Hashable, Sendable {
    /// It agrees with a server's time seen earlier.
    case anchored
    /// Nothing is known against it, and no server time was seen.
    case unanchored
    /// It is behind the last record, a server's time or the configuration's making, or has drifted from the monotonic
    /// clock.
    case suspect
}
