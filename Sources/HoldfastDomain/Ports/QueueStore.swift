/// Durable, ordered storage for entries that wait to be delivered: the journal.
///
/// It keeps a database out of the domain: what must survive goes in here, and how is an adapter's business. A stream
/// is a queue of its own, with its own numbers, lease, ledger of losses and retry state; ids and subjects are common
/// to all. An entry is queued until it is settled, as delivered or as a dead letter. Every call is one transaction: it
/// happens whole or, if it throws a `QueueStoreError`, not at all. Calls come from any task, many at once, and where the
/// store is a file from several processes.
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
/// - `gives_a_place_once`: a later append gets the entry that has it, also within one call.
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
/// - `retry_time_that_comes_by_due_bars_nothing`: the caller may treat it as come.
/// - `lease_brings_the_retry_state`: as it is in that transaction.
/// - `settles_by_id`: never by position or count; an unknown id is passed over.
/// - `unnamed_entries_stay_queued`: and can be leased again at once.
/// - `late_acknowledgement_counts`: after the lease has expired, and without ending the next one; a late retry does not.
/// - `settling_again_changes_nothing`: an entry is settled once.
/// - `delivered_entries_are_kept_or_gone`: as the outcome says; one with a `keepUntil` is kept in any case.
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
    /// A draft whose id is there already, whose place is taken or whose key was retired is not written, and its outcome
    /// says so; the others are appended all the same. Of two drafts in one call that share an id or a place, the second is
    /// a duplicate of, or in conflict with, the first. A draft that is several of these is the first of them.
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
