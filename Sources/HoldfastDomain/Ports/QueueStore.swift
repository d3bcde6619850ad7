/// Durable, ordered storage for entries that wait to be delivered: the journal.
///
/// It keeps a database out of the domain: what must survive goes in here, and how is an adapter's business. A stream
/// is a queue of its own, with its own numbers, lease, ledger of losses and retry state; ids and subjects are common
/// to all. An entry is queued until it is settled, as delivered or as a dead letter. Every call is one transaction: it
/// happens whole or, if it throws, not at all. Calls come from any task, many at once, and where the store is a file
/// from several processes.
///
/// Use `SQLiteQueueStore` wherever something must survive, `InMemoryQueueStore` in tests; both are an `EntryArchive`
/// and a `StateStore` as well. Write one over anything with atomic transactions and unique keys: the two promises that
/// everything else rests on are that a place is given once and that a number is given once, also to two processes. Put
/// it through the checks below before anything else. In a test of what happens when nothing can be stored:
///
/// ```swift
/// struct FullStore: QueueStore {
///     var error = QueueStoreError(.full)
///
///     func append(_ drafts: [Draft], durability: Durability) throws -> [AppendOutcome] { throw error }
///     func latest(_ subject: Subject) throws -> Entry? { throw error }
///     func lease(_ request: LeaseRequest) throws -> Lease? { throw error }
///     func settle(
///         _ lease: Lease.ID,
///         of stream: StreamName,
///         outcomes: [EntryID: EntryOutcome],
///         retry: RetryState
///     ) throws { throw error }
///     func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) throws -> TrimReport { throw error }
///     func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) throws { throw error }
///     func statistics(_ stream: StreamName) throws -> StreamStatistics { throw error }
/// }
/// ```
///
/// A store promises, and `Conformance.queueStore` checks:
/// - `numbers_without_holes`: 1, 2, 3 … in each stream, whatever is refused, removed or erased in between.
/// - `keeps_what_was_appended`: every part of a draft, of any size and any time.
/// - `tells_a_repeated_id`: as a duplicate, whatever else of the draft differs; nothing is written.
/// - `remembers_ids_beyond_the_newest`: for as long as the entry is there.
/// - `gives_a_place_once`: whoever comes later is told the entry that has it, also within one call.
/// - `one_of_many_wins_a_place`: exactly one of many that try at once.
/// - `appends_at_once_lose_nothing`: and the drafts of one call stay together.
/// - `latest_is_the_highest_version`: in whatever state and stream, in whatever order they were appended.
/// - `streams_are_apart`: numbers, leases, counts.
/// - `order_is_that_of_appending`: not that of the clock, which can be set back.
/// - `leases_oldest_first`: in order of sequence.
/// - `keeps_to_count_and_bytes`: stops at the first entry that does not fit; the first is leased whatever its size.
/// - `one_lease_lives_at_a_time`: in each stream.
/// - `lease_expires`: at its end, not after it.
/// - `no_lease_without_entries`: nil, not an empty lease.
/// - `clock_set_back_ends_a_lease`: one that was granted in the future bars nothing.
/// - `lease_beyond_the_longest_wait_bars_nothing`: no honest clock granted it.
/// - `retry_time_bars_until_it_comes`: its entry only; those behind it go first.
/// - `retry_time_beyond_the_longest_wait_bars_nothing`: the clock was set back since.
/// - `retry_time_that_comes_by_due_bars_nothing`: whoever asks may take it as come.
/// - `lease_brings_the_retry_state`: as it is in that transaction.
/// - `settles_by_id`: never by position or count; an unknown id is passed over.
/// - `unnamed_entries_stay_queued`: and can be leased again at once.
/// - `late_acknowledgement_counts`: after the lease has expired, and without ending the next one; a late retry does not.
/// - `settling_again_changes_nothing`: an entry is settled once.
/// - `delivered_entries_are_kept_or_gone`: as told; one with a `keepUntil` is kept in any case.
/// - `dead_letters_are_kept_and_counted`: with their note, and in the ledger under their reason.
/// - `stores_the_retry_state`: that of the last settlement, also of one whose lease is over.
/// - `drops_oldest_first`: until the queued bytes fit, and not one more.
/// - `drops_many`: as many as it takes.
/// - `drops_by_age`: every queued entry that is as old as the limit, wherever it stands.
/// - `spares_leased_entries`: while the lease lives.
/// - `spares_what_is_to_be_kept`: until its `keepUntil` has come.
/// - `removes_past_retention`: delivered entries and dead letters; that is no loss.
/// - `no_limit_drops_nothing`: nil means for ever.
/// - `losses_add_up`: in the ledger, whichever call they came by.
/// - `counts_are_true`: all of `StreamStatistics`.
///
/// and `Conformance.failingJournal`:
/// - `a_call_that_throws_does_nothing`: and uses up no number.
///
/// and, of a store that is more than memory, `Conformance.durableJournal`:
/// - `entries_outlive_a_restart`: with their states, retry times, ids and places.
/// - `counts_outlive_a_restart`: with the ledger, the retry state and the key floor.
/// - `lease_ends_with_its_holder`: what it held goes out again at once.
/// - `values_outlive_a_restart`: those of `StateStore`.
public protocol QueueStore: Sendable {
    /// Appends drafts in order.
    ///
    /// A draft whose id is there already, whose place is taken or whose key was retired writes nothing and says so; the
    /// others are appended all the same. Of two drafts in one call that share an id or a place, the second is told as a
    /// duplicate of, or a conflict with, the first. A draft that is several of these is the first of them.
    ///
    /// - Returns: One outcome per draft, in the same order, once they are as durable as asked.
    /// - Throws: `QueueStoreError`; nothing was appended.
    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome]

    /// The entry with the highest version of a subject, in whatever state; nil if it has no history.
    func latest(_ subject: Subject) async throws -> Entry?

    /// Leases the oldest deliverable entries of a stream: queued, with a retry time that has come, in order of sequence.
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
    /// - Parameters:
    ///   - lease: The lease to end.
    ///   - stream: The stream it was taken of.
    ///   - outcomes: What became of each entry.
    ///   - retry: The stream's retry state from now on, stored in the same transaction.
    func settle(_ lease: Lease.ID, of stream: StreamName, outcomes: [EntryID: EntryOutcome], retry: RetryState)
        async throws

    /// Enforces the limits of a stream. Drops the oldest first, never an entry under a live lease, never one whose
    /// `keepUntil` lies ahead, and counts what was lost in the ledger in the same transaction.
    ///
    /// A trim that drops many may take several transactions, so that appending need not wait. If it throws, what was
    /// dropped by then stays dropped, and is counted.
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
    indirect case conflict(existing: Entry)
    /// The key it is sealed with was retired, see `EntryArchive.retireKeys`; nothing was written. To be sealed again
    /// with a key from this number on.
    case keyRetired(floor: KeyID)
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
    /// The lowest key that may still seal; see `EntryArchive.retireKeys`.
    public var keyFloor = KeyID(1)
    /// What was ever lost, by reason.
    public var losses: [LossReason: Int] = [:]
    /// The retry state that `settle` stored last.
    public var retry = RetryState()

    /// Counts of an empty stream.
    public init() {}

    /// The first number that a new key may have: none that still seals or opens has it or a higher one.
    public var unusedKey: KeyID {
        guard let newest = entriesByKey.keys.max() else { return keyFloor }
        return max(keyFloor, KeyID(newest.rawValue == .max ? .max : newest.rawValue + 1))
    }
}
