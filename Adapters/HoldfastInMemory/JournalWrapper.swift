import HoldfastDomain

/// A journal that passes every call on to another, so that a test need write only the call that it changes.
///
/// ```swift
/// struct FullDisk: JournalWrapper {
///     let base: any Journal
///
///     func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
///         throw QueueStoreError(.full)
///     }
/// }
/// ```
///
/// It is as safe to call from many tasks as what it wraps.
public protocol JournalWrapper: QueueStore, EntryArchive, StateStore {
    /// The journal that calls are passed on to.
    var base: any Journal { get }
}

// MARK: - QueueStore

extension JournalWrapper {
    /// Appends to the wrapped journal.
    public func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        try await base.append(drafts, durability: durability)
    }

    /// Asks the wrapped journal.
    public func latest(_ subject: Subject) async throws -> Entry? { try await base.latest(subject) }

    /// Leases from the wrapped journal.
    public func lease(_ request: LeaseRequest) async throws -> Lease? { try await base.lease(request) }

    /// Settles in the wrapped journal.
    public func settle(
        _ lease: Lease.ID,
        of stream: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) async throws {
        try await base.settle(lease, of: stream, outcomes: outcomes, retry: retry)
    }

    /// Trims the wrapped journal.
    public func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport {
        try await base.trim(stream, to: retention, now: now)
    }

    /// Adds to the wrapped journal's ledger.
    public func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) async throws {
        try await base.recordLosses(losses, of: stream)
    }

    /// The wrapped journal's counts.
    public func statistics(_ stream: StreamName) async throws -> StreamStatistics { try await base.statistics(stream) }
}

// MARK: - EntryArchive

extension JournalWrapper {
    /// The wrapped journal's entries.
    public func entries(_ stream: StreamName, after sequence: Int64, limit: Int) async throws -> [Entry] {
        try await base.entries(stream, after: sequence, limit: limit)
    }

    /// The wrapped journal's entries under a key.
    public func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) async throws -> [Entry] {
        try await base.entries(stream, sealedWith: key, limit: limit)
    }

    /// Reseals in the wrapped journal.
    public func reseal(_ entries: [Resealed]) async throws -> Int { try await base.reseal(entries) }

    /// Raises the wrapped journal's key floor.
    public func retireKeys(of stream: StreamName, below floor: KeyID) async throws -> Set<KeyID> {
        try await base.retireKeys(of: stream, below: floor)
    }

    /// Erases from the wrapped journal.
    public func erase(_ stream: StreamName, reason: LossReason) async throws -> Int {
        try await base.erase(stream, reason: reason)
    }
}

// MARK: - StateStore

extension JournalWrapper {
    /// The wrapped journal's value.
    public func value(named name: String) async throws -> [UInt8]? { try await base.value(named: name) }

    /// Sets the wrapped journal's value.
    public func setValue(_ value: [UInt8]?, named name: String) async throws {
        try await base.setValue(value, named: name)
    }
}
