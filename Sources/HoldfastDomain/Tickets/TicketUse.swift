/// What a ticket's history amounts to: the state that its latest admission carries, so that only that one is read.
public struct TicketUse: Hashable, Sendable {
    /// How many entries have counted, this one included (today's only, where admission is per day).
    public var entries: Int
    /// Whether the holder is inside.
    public var isInside: Bool
    /// When the first entry that counts was.
    public var firstAt: Timestamp
    /// At which gate the first entry that counts was.
    public var firstGate: String
    /// The civil day that `entries` counts, where admission is per day.
    public var day: CivilDay?
    /// Whether the latest admission was a return after an exit, which does not count as an entry.
    public var isReentry: Bool

    /// A use of these parts.
    public init(
        entries: Int,
        isInside: Bool,
        firstAt: Timestamp,
        firstGate: String,
        day: CivilDay? = nil,
        isReentry: Bool = false
    ) {
        self.entries = entries
        self.isInside = isInside
        self.firstAt = firstAt
        self.firstGate = firstGate
        self.day = day
        self.isReentry = isReentry
    }
}
