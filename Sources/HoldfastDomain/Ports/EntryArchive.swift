/// Looks through a journal beyond delivery: export, re-sealing, erasing.
///
/// It is separate from `QueueStore` because delivery needs none of it, and is called like that: from any task, each call
/// one transaction, which throws a `QueueStoreError` and then has changed nothing. Read a long stream page by page; entries
/// may come and go in between, but a sequence number is never used for another entry.
///
/// Use `SQLiteQueueStore`, or `InMemoryQueueStore` in tests. Write one together with a `QueueStore`, on the same
/// entries. In a test that only exports:
///
/// ```swift
/// struct FixedArchive: EntryArchive {
///     var all: [Entry]
///
///     func entries(_ stream: StreamName, after sequence: Int64, limit: Int) -> [Entry] {
///         let later = all.filter { $0.draft.stream == stream && $0.sequence > sequence }
///         return Array(later.sorted { $0.sequence < $1.sequence }.prefix(max(0, limit)))
///     }
///
///     func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) -> [Entry] {
///         let sealed = entries(stream, after: 0, limit: .max).filter { $0.draft.keyID == key }
///         return Array(sealed.prefix(max(0, limit)))
///     }
///
///     func reseal(_ entries: [Resealed]) -> Int { 0 }
///     func retireKeys(of stream: StreamName, below floor: KeyID) -> Set<KeyID> { [] }
///     func erase(_ stream: StreamName, reason: LossReason) -> Int { 0 }
/// }
/// ```
///
/// An archive promises, and `Conformance.entryArchive` checks:
/// - `tells_every_state_in_order`: queued, delivered and dead letters, by sequence.
/// - `goes_on_after_a_sequence`: and ends; any number and any limit will do.
/// - `finds_by_key`: in every state, in order.
/// - `reseals_only_from_the_old_key`: another process may have been first; every count follows.
/// - `resealing_works_through_all`: find, reseal, find again ends when no entry needs the old key.
/// - `reseals_the_note_with_it`: an entry whose note was not given is left for the next pass.
/// - `resealing_keeps_the_rest`: place, time, state and retry time.
/// - `a_retired_key_seals_nothing`: neither a draft, whose outcome gives the floor, nor a resealed entry.
/// - `retiring_tells_the_keys_still_needed`: by entries in any state; they stay and can be resealed.
/// - `the_key_floor_never_falls`: not for a lower one, nor for erasing; each stream has its own.
/// - `retiring_and_appending_do_not_cross`: once no entry needs a retired key, none ever will.
/// - `erases_a_stream_and_counts_it`: leased entries too; only what was queued is lost.
/// - `numbers_go_on_after_erasing`: none is given out twice.
public protocol EntryArchive: Sendable {
    /// Entries of a stream in any state, in order of sequence, from after `sequence`, at most `limit`.
    func entries(_ stream: StreamName, after sequence: Int64, limit: Int) async throws -> [Entry]

    /// Entries of a stream sealed with `key`, in order of sequence, at most `limit`: what re-sealing has to do.
    func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) async throws -> [Entry]

    /// Replaces the sealed bytes (and note, if it has one) of entries that are still sealed with their old key. What a
    /// retired key has sealed is passed over.
    ///
    /// - Returns: How many were replaced.
    func reseal(_ entries: [Resealed]) async throws -> Int

    /// Raises the stream's key floor, if it is lower: from then on nothing is sealed with a key below `floor`, by no
    /// process, so that a key which no entry needs will never be needed again and may be removed from the vault.
    ///
    /// Returns only once this, and all that was written before it, survives the loss of power.
    ///
    /// - Returns: The keys below `floor` that entries still need, as of the same transaction.
    func retireKeys(of stream: StreamName, below floor: KeyID) async throws -> Set<KeyID>

    /// Removes every entry of a stream, leased or not, and counts the queued ones as lost for `reason`.
    ///
    /// - Returns: How many were removed.
    func erase(_ stream: StreamName, reason: LossReason) async throws -> Int
}

/// New sealed bytes for one entry.
public struct Resealed: Hashable, Sendable {
    /// Which entry.
    public var id: EntryID
    /// The key it was sealed with.
    public var oldKey: KeyID
    /// The key it is sealed with now.
    public var newKey: KeyID
    /// The payload, sealed anew.
    public var sealed: [UInt8]
    /// The dead letter's note, sealed anew, if it has one.
    public var note: [UInt8]?

    /// A replacement of these parts.
    public init(id: EntryID, oldKey: KeyID, newKey: KeyID, sealed: [UInt8], note: [UInt8]? = nil) {
        self.id = id
        self.oldKey = oldKey
        self.newKey = newKey
        self.sealed = sealed
        self.note = note
    }
}
