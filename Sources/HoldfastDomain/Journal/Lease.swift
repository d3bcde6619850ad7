/// What to lease.
public struct LeaseRequest: Hashable, Sendable {
    /// Of which stream.
    public var stream: StreamName
    /// How many entries at most.
    public var maxCount: Int
    /// How many sealed bytes at most; the first entry is leased whatever its size.
    public var maxBytes: Int
    /// The time now.
    public var now: Timestamp
    /// How long the lease lives.
    public var duration: Interval
    /// How far ahead of `now` an entry's retry time or the end of a lease can honestly lie.
    public var longestWait: Interval
    /// By when an entry's retry time must have come; `now`, or later where somebody will not wait for it.
    public var due: Timestamp

    /// A request of these parts; `due` is `now` unless it is given.
    public init(
        stream: StreamName,
        maxCount: Int,
        maxBytes: Int = .max,
        now: Timestamp,
        duration: Interval,
        longestWait: Interval = .hours(24),
        due: Timestamp? = nil
    ) {
        self.stream = stream
        self.maxCount = maxCount
        self.maxBytes = maxBytes
        self.now = now
        self.duration = duration
        self.longestWait = longestWait
        self.due = due ?? now
    }
}

/// Entries that only the holder may deliver until the lease ends.
public struct Lease: Hashable, Sendable {
    /// Names one lease.
    public struct ID: Hashable, Sendable {
        /// The store's own token.
        public let rawValue: String
        /// The lease of this token.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// Its name.
    public var id: ID
    /// The entries, in order of sequence; at least one.
    public var entries: [Entry]
    /// When it ends by itself.
    public var expires: Timestamp
    /// The stream's retry state, read in the same transaction: another process may have been ordered to wait.
    public var retry: RetryState

    /// A lease of these parts.
    public init(id: ID, entries: [Entry], expires: Timestamp, retry: RetryState = RetryState()) {
        self.id = id
        self.entries = entries
        self.expires = expires
        self.retry = retry
    }
}

/// What becomes of one leased entry.
public enum EntryOutcome: Hashable, Sendable {
    /// Acknowledged. Kept until `trim` removes it after its retention, or removed at once.
    case delivered(keep: Bool)
    /// Never to be sent again; kept for inspection, and counted in the ledger under the reason.
    case deadLettered(LossReason, note: [UInt8]?)
    /// Stays queued; not leased again before the given time.
    case retry(notBefore: Timestamp)
}
