/// What a stream may hold; nil means no limit.
public struct Retention: Hashable, Sendable {
    /// Live bytes of queued entries at most; the oldest are dropped (`overflow`).
    public var maxQueuedBytes: Int64?
    /// Age of a queued entry at most (`age`).
    public var maxQueuedAge: Interval?
    /// How long delivered entries are kept after they happened; no loss.
    public var deliveredFor: Interval?
    /// How long dead letters are kept after they happened; no further loss.
    public var deadLetteredFor: Interval?

    /// Limits of these parts.
    public init(
        maxQueuedBytes: Int64? = nil,
        maxQueuedAge: Interval? = nil,
        deliveredFor: Interval? = nil,
        deadLetteredFor: Interval? = nil
    ) {
        self.maxQueuedBytes = maxQueuedBytes
        self.maxQueuedAge = maxQueuedAge
        self.deliveredFor = deliveredFor
        self.deadLetteredFor = deadLetteredFor
    }
}

/// What a trim did.
public struct TrimReport: Hashable, Sendable {
    /// Queued entries that were lost, by reason.
    public var dropped: [LossReason: Int]
    /// Entries that were past their retention and are gone.
    public var removed: Int

    /// A report of these parts.
    public init(dropped: [LossReason: Int] = [:], removed: Int = 0) {
        self.dropped = dropped
        self.removed = removed
    }
}
