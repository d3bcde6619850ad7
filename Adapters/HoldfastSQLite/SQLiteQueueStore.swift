import HoldfastDomain

/// A journal in one SQLite file, which several processes may share.
///
/// ```swift
/// let store = try SQLiteQueueStore(path: "/var/lib/gate/gate.sqlite", diagnostics: sink)
/// let outcomes = try await store.append([draft], durability: .powerLoss)
/// ```
///
/// Beside the file SQLite keeps `-wal` and `-shm`; the three belong together. All are readable and writable by this
/// user only. Payloads are sealed before they come here, so nothing readable is in them but ids, times and sizes.
///
/// A damaged file is never deleted: it is moved aside as `….damaged-1` (2, 3 …) with its side files, what can be
/// read of it goes on in a new file, and the sink is told (`storeSalvaged`) how many entries are lost at least,
/// and the ledger counts them. The same is done if the log that a killed process left is damaged before its end: SQLite
/// alone would ignore every commit after the damage, without an error.
///
/// Use one instance per path in a process, from as many tasks as you like. Opening blocks the calling thread for as
/// long as the disk takes, and another process that is opening or mending a journal in the same directory.
public final class SQLiteQueueStore: QueueStore, EntryArchive, StateStore {
    /// What can be chosen.
    public struct Configuration: Sendable {
        /// How long a call waits for another process that has the file locked, before it throws `.busy`.
        public var busyTimeout: Interval
        /// How long opening or mending waits for another process that is doing so in the same directory, before it throws
        /// `.busy`. Another's mending of a large journal may take a good part of a minute; after five seconds the sink
        /// is told (`storeAwaited`).
        public var directoryTimeout: Interval

        /// A configuration of these parts.
        public init(busyTimeout: Interval = .seconds(5), directoryTimeout: Interval = .seconds(60)) {
            self.busyTimeout = busyTimeout
            self.directoryTimeout = directoryTimeout
        }
    }

    private let turns: Turns

    /// Opens a journal, or makes an empty one if there is no file or one without a byte.
    ///
    /// - Throws: `QueueStoreError`: `.alreadyOpen` in this process; `.noDirectory` where the file's directory is to be
    ///   made first; `.cannotOpen` for want of permission; `.notAJournal` or `.newerVersion`, and the file is as it was;
    ///   `.busy`, `.full`, `.readOnly`, `.inputOutput` as they come.
    public init(path: String, configuration: Configuration = .init(), diagnostics: any DiagnosticSink) throws {
        turns = Turns(try JournalKeeper(path: path, configuration: configuration, diagnostics: diagnostics))
    }

    /// Lets go of the file and of every lock, once the calls under way are done; later ones throw `.closed` until
    /// `resume`. For an app that goes to the background: iOS ends one that is suspended with a lock.
    public func suspend() async {
        // The body does not throw, and nothing else can.
        try? await turns.long { $0.suspend() }
    }

    /// Opens the file again.
    ///
    /// - Throws: As opening does, or `.closed` after `close`. After another error every call tries to open again.
    public func resume() async throws { try await turns.long { try $0.resume() } }

    /// Closes the file for good, once the calls under way are done. Then the path can be opened again.
    public func close() async {
        // The body does not throw, and nothing else can.
        try? await turns.long { $0.close() }
    }

    // MARK: QueueStore

    /// Appends drafts in order; calls that wait at the same time share one commit.
    public func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        guard !drafts.isEmpty else { return [] }
        return try await turns.append(drafts, durability: durability)
    }

    /// The entry with the highest version of a subject.
    public func latest(_ subject: Subject) async throws -> Entry? {
        try await turns.short { try $0.latest(subject) }
    }

    /// Leases the oldest deliverable entries of a stream. The lease of a process that is gone has ended.
    public func lease(_ request: LeaseRequest) async throws -> Lease? {
        try await turns.short { try $0.lease(request) }
    }

    /// Ends a lease and settles its entries one by one, by id.
    public func settle(
        _ lease: Lease.ID,
        of stream: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) async throws {
        let settle = { @Sendable (file: JournalFile) in
            try file.settle(lease, of: stream, outcomes: outcomes, retry: retry)
        }
        if outcomes.count <= Turns.shortWork { try await turns.short(settle) } else { try await long(settle) }
    }

    /// Enforces the limits of a stream, in transactions short enough that appends come in between.
    public func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport {
        var progress = TrimProgress()
        while !progress.isDone {
            let earlier = progress
            progress = try await turns.short { try $0.trim(stream, to: retention, now: now, earlier) }
        }
        return progress.report
    }

    /// Adds to the stream's durable ledger of losses.
    public func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) async throws {
        try await turns.short { try $0.recordLosses(losses, of: stream) }
    }

    /// Counts of a stream, read in one transaction.
    public func statistics(_ stream: StreamName) async throws -> StreamStatistics {
        try await turns.short { try $0.statistics(stream) }
    }

    // MARK: EntryArchive

    /// Entries of a stream in any state, in order of sequence, from after `sequence`, at most `limit`.
    public func entries(_ stream: StreamName, after sequence: Int64, limit: Int) async throws -> [Entry] {
        try await long { try $0.entries(stream, after: sequence, limit: limit) }
    }

    /// Entries of a stream sealed with `key`, in order of sequence, at most `limit`.
    public func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) async throws -> [Entry] {
        try await long { try $0.entries(stream, sealedWith: key, limit: limit) }
    }

    /// Replaces the sealed bytes of entries that are still sealed with their old key.
    public func reseal(_ entries: [Resealed]) async throws -> Int {
        try await long { try $0.reseal(entries) }
    }

    /// Raises a stream's key floor, and tells the keys below it that entries still need.
    public func retireKeys(of stream: StreamName, below floor: KeyID) async throws -> Set<KeyID> {
        try await long { try $0.retireKeys(of: stream, below: floor) }
    }

    /// Removes every entry of a stream, leased or not.
    public func erase(_ stream: StreamName, reason: LossReason) async throws -> Int {
        try await long { try $0.erase(stream, reason: reason) }
    }

    // MARK: StateStore

    /// The value called `name`; nil if there is none.
    public func value(named name: String) async throws -> [UInt8]? {
        try await turns.short { try $0.value(named: name) }
    }

    /// Stores a value in place of any earlier one; nil removes it.
    public func setValue(_ value: [UInt8]?, named name: String) async throws {
        try await turns.short { try $0.setValue(value, named: name) }
    }

    private func long<Value: Sendable>(
        _ body: @escaping @Sendable (JournalFile) throws -> Value
    ) async throws -> Value {
        try await turns.long { try $0.perform(patiently: true, body) }
    }
}
