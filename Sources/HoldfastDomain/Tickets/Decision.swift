/// What a gate decided about one showing of a code: everything a host needs to show it. A refusal is a value.
public struct Decision: Hashable, Sendable {
    /// The decision in one word.
    public enum Verdict: Hashable, Sendable {
        /// Let them through.
        case accepted(TicketClaims)
        /// Do not, for these reasons, the primary one first; at least one.
        case denied([DenialCode])
    }

    /// Every reason against it, the primary one first; empty means accepted.
    public var reasons: [DenialCode]
    /// What the ticket says; nil where none could be read. Unless the decision is accepted, not all of it is true.
    public var ticket: TicketClaims?
    /// The permanent id of this attempt.
    public var scanID: EntryID
    /// The attempt's number in this device's journal; nil if it could not be recorded.
    public var sequence: Int64?
    /// When, by all clocks.
    public var at: ClockReading
    /// How far the wall clock could be trusted.
    public var clock: ClockConfidence
    /// What the ticket's use comes to: for an accepted ticket with this attempt, for a denied one without it; nil
    /// where a ticket has not been used, or its history was not looked at.
    public var use: TicketUse?
    /// What is wrong with a text that is no whole ticket.
    public var malformed: MalformedReason?
    /// Whether the code has been in view since it was decided upon: the original decision then stands, and nothing
    /// more is recorded.
    public var isRepeat: Bool
    /// What kept the gate from deciding or recording, if something did.
    public var failure: GateFailure?

    /// A decision that `record` holds.
    public init(_ record: GateRecord, ticket: TicketClaims? = nil, use: TicketUse? = nil) {
        reasons = record.reasons
        self.ticket = ticket
        scanID = record.scanID
        sequence = record.sequence > 0 ? record.sequence : nil
        at = record.at
        clock = record.clock
        self.use = use
        isRepeat = false
    }

    /// The decision in one word.
    public var verdict: Verdict {
        if reasons.isEmpty, let ticket { return .accepted(ticket) }
        return .denied(reasons)
    }

    /// Whether to let them through.
    public var isAccepted: Bool { reasons.isEmpty }
    /// The primary reason against it; nil if accepted.
    public var reason: DenialCode? { reasons.first }
    /// Whether the attempt is durably recorded. An accepted one always is, unless the policy is to admit regardless.
    public var isRecorded: Bool { sequence != nil }
    /// When the ticket was first used, where that is known.
    public var firstUsedAt: Timestamp? { use?.firstAt }
    /// At which gate the ticket was first used, where that is known.
    public var firstGate: String? { use?.firstGate }
    /// How many entries have counted, where that is known.
    public var entries: Int? { use?.entries }

    /// The same decision for another sighting of the same code.
    public var repeated: Decision {
        var copy = self
        copy.isRepeat = true
        return copy
    }
}
