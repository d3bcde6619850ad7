/// Durable, ordered storage for entries that wait to be delivered: the journal.
///
/// Every call is one transaction: it happens whole or, if it throws, not at all. Calls may come from any task and,
/// where the store is a file, from several processes.
public protocol QueueStore: Sendable {
    /// Appends drafts in order.
    ///
    /// A draft whose id is there already, or whose place is taken, writes nothing and says so; the others are
    /// appended all the same. Two drafts of one call may not share an id or a place; the second is told as a
    /// duplicate or a conflict with the first.
    ///
    /// - Returns: One outcome per draft, in the same order, once they are as durable as asked.
    /// - Throws: `QueueStoreError`; nothing was appended.
    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome]

    /// The entry with the highest version of a subject, in whatever state; nil if it has no history.
    func latest(_ subject: Subject) async throws -> Entry?

    /// Leases the oldest deliverable entries of a stream: queued and past their retry time, in order of sequence.
    ///
    /// At most one lease of a stream lives at a time. It ends by settling, by expiry, or with the process that took
    /// it, so that a crash never strands entries. A retry time or an end of a lease that lies further ahead than the
    /// request's `longestWait` bars nothing: the clock was set back since.
    ///
    /// - Returns: The lease, or nil if nothing is deliverable now or another lease lives.
    func lease(_ request: LeaseRequest) async throws -> Lease?

    /// Ends a lease and settles its entries one by one, by id. Entries it does not name stay queued.
    ///
    /// An acknowledgement is true whenever it comes: `.delivered` and `.deadLettered` count even if the lease has
    /// expired; `.retry` is then ignored. An id that is not there, or is settled already, is passed over.
    ///
    /// - Parameter retry: The stream's retry state from now on, stored in the same transaction.
    func settle(_ lease: Lease.ID, of stream: StreamName, outcomes: [EntryID: EntryOutcome], retry: RetryState)
        async throws

    /// Enforces the limits of a stream. Drops the oldest first, never an entry under a live lease, never one whose
    /// `keepUntil` lies ahead, and counts what was lost in the ledger in the same transaction.
    func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport

    /// Adds to the stream's durable ledger of losses: for what was lost before it could be appended.
    func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) async throws

    /// Counts of a stream, read in one transaction.
    func statistics(_ stream: StreamName) async throws -> StreamStatistics
}

/// What an append must survive before it returns.
public enum Durability: Hashable, Sendable {
    /// The death of the process, at any instruction (SQLite's `synchronous=NORMAL` in WAL mode).
    case processDeath
    /// The loss of power as well (`synchronous=FULL`).
    case powerLoss
}

/// What became of one draft.
public enum AppendOutcome: Hashable, Sendable {
    /// It is stored, with this number in its stream.
    case appended(sequence: Int64)
    /// An entry of that id is there already; nothing was written.
    case duplicate
    /// Another entry has that place in the subject's history; nothing was written.
    case conflict(existing: Entry)
}

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

    /// A request of these parts.
    public init(
        stream: StreamName,
        maxCount: Int,
        maxBytes: Int = .max,
        now: Timestamp,
        duration: Interval,
        longestWait: Interval = .hours(24)
    ) {
        self.stream = stream
        self.maxCount = maxCount
        self.maxBytes = maxBytes
        self.now = now
        self.duration = duration
        self.longestWait = longestWait
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
    /// The stream's retry state, read in the same transaction: another process may have been told to wait.
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

/// Counts of a stream.
public struct StreamStatistics: Hashable, Sendable {
    /// Entries waiting to be delivered, leased ones included.
    public var queued = 0
    /// Delivered entries that are still kept.
    public var delivered = 0
    /// Dead letters that are still kept.
    public var deadLettered = 0
    /// Sealed bytes of queued entries.
    public var liveBytes: Int64 = 0
    /// What the store takes on disk in all, every stream and side file included; 0 in memory.
    public var diskBytes: Int64 = 0
    /// When the oldest queued entry happened.
    public var oldestQueued: Timestamp?
    /// When the newest entry happened, in whatever state: what the last record said the time was.
    public var newestRecorded: Timestamp?
    /// The highest sequence ever given out; 0 if none.
    public var lastSequence: Int64 = 0
    /// How many entries each sealing key still opens.
    public var entriesByKey: [KeyID: Int] = [:]
    /// What was ever lost, by reason.
    public var losses: [LossReason: Int] = [:]
    /// The retry state that `settle` stored last.
    public var retry = RetryState()

    /// Counts of an empty stream.
    public init() {}
}

/// Why a store could not do what was asked.
public struct QueueStoreError: Error, Hashable, Sendable {
    /// The kind of failure; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Another process kept the store locked for too long; try again.
        public static let busy = Code("busy")
        /// No space is left on the disk.
        public static let full = Code("full")
        /// The store may be read but not written.
        public static let readOnly = Code("read_only")
        /// The disk failed to read or write.
        public static let inputOutput = Code("input_output")
        /// The file cannot be opened or made.
        public static let cannotOpen = Code("cannot_open")
        /// What is stored is damaged.
        public static let corrupt = Code("corrupt")
        /// The file was written by a newer version of this package.
        public static let newerVersion = Code("newer_version")
        /// The file is a sound database, but not one of this package's; it was left alone.
        public static let notAJournal = Code("not_a_journal")
        /// This path is open in this process already.
        public static let alreadyOpen = Code("already_open")
        /// The store was closed or suspended.
        public static let closed = Code("closed")
        /// Any other failure of the store's library.
        public static let libraryFailure = Code("library_failure")
    }

    /// The kind of failure.
    public var code: Code
    /// The library's own (extended) number, if there is one.
    public var platformCode: Int?

    /// An error of this kind.
    public init(_ code: Code, platformCode: Int? = nil) {
        self.code = code
        self.platformCode = platformCode
    }
}
