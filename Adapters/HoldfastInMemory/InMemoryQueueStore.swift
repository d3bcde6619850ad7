import HoldfastDomain

/// A journal that lives in memory and dies with the process: for tests, previews and rehearsals.
///
/// It keeps every promise of its ports but durability, runs the same conformance checks as a file does, and can be
/// told to fail. Use one instance from as many tasks as you like.
public actor InMemoryQueueStore: QueueStore, EntryArchive, StateStore {
    private var streams: [StreamName: InMemoryStream] = [:]
    private var places: [EntryID: (stream: StreamName, sequence: Int64)] = [:]
    private var histories: [Subject: [Int64: EntryID]] = [:]
    private var values: [String: [UInt8]] = [:]
    private var leases = 0
    private var failure: QueueStoreError?

    /// An empty journal.
    public init() {}

    /// From now on every call throws `error` and does nothing, like a full disk; nil ends that.
    public func fail(with error: QueueStoreError?) { failure = error }

    /// Appends drafts in order; see `QueueStore`. Durability means nothing here.
    public func append(_ drafts: [Draft], durability: Durability) throws -> [AppendOutcome] {
        try check()
        return drafts.map { draft in
            if places[draft.id] != nil { return .duplicate }
            if let place = draft.place, let existing = histories[place.subject]?[place.version].flatMap(entry) {
                return .conflict(existing: existing)
            }
            if let floor = streams[draft.stream]?.keyFloor, draft.keyID < floor { return .keyRetired(floor: floor) }
            if let place = draft.place { histories[place.subject, default: [:]][place.version] = draft.id }
            let sequence = streams[draft.stream, default: InMemoryStream()].append(draft)
            places[draft.id] = (draft.stream, sequence)
            return .appended(sequence: sequence)
        }
    }

    /// The entry with the highest version of a subject.
    public func latest(_ subject: Subject) throws -> Entry? {
        try check()
        guard let history = histories[subject], let version = history.keys.max() else { return nil }
        return history[version].flatMap(entry)
    }

    /// Leases the oldest deliverable entries of a stream.
    public func lease(_ request: LeaseRequest) throws -> Lease? {
        try check()
        leases += 1
        return streams[request.stream]?.lease(request, id: Lease.ID("memory-\(leases)"))
    }

    /// Ends a lease and settles its entries one by one.
    public func settle(
        _ lease: Lease.ID,
        of stream: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) throws {
        try check()
        var state = streams[stream, default: InMemoryStream()]
        let holding = state.holding?.id == lease ? state.holding : nil
        if holding != nil { state.holding = nil }
        var gone: Set<Int64> = []
        for (id, outcome) in outcomes {
            guard let place = places[id], place.stream == stream, let index = state.index(of: place.sequence) else {
                continue
            }
            let underLease = holding?.sequences.contains(place.sequence) ?? false
            if state.settle(at: index, outcome, underLease: underLease) { gone.insert(place.sequence) }
        }
        if !gone.isEmpty { forget(state.remove { gone.contains($0.sequence) }) }
        state.retry = retry
        streams[stream] = state
    }

    /// Enforces the limits of a stream.
    public func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) throws -> TrimReport {
        try check()
        guard var state = streams[stream] else { return TrimReport() }
        let held = state.holding.flatMap { $0.lives(at: now) ? $0.sequences : nil } ?? []
        func isFree(_ entry: Entry) -> Bool {
            !held.contains(entry.sequence) && entry.draft.keepUntil.map { $0 <= now } ?? true
        }
        func isPast(_ limit: Interval?, _ entry: Entry) -> Bool {
            limit.map { entry.draft.recordedAt + $0 <= now } ?? false
        }
        let removed = state.remove { entry in
            switch entry.state {
            case .queued: return false
            case .delivered: return isFree(entry) && isPast(retention.deliveredFor, entry)
            case .deadLettered: return isFree(entry) && isPast(retention.deadLetteredFor, entry)
            }
        }
        let aged = state.remove { $0.state == .queued && isFree($0) && isPast(retention.maxQueuedAge, $0) }
        var excess = retention.maxQueuedBytes.map { state.statistics.liveBytes - max(0, $0) } ?? 0
        let overflowing = state.remove { entry in
            guard excess > 0, entry.state == .queued, isFree(entry) else { return false }
            excess -= Int64(entry.draft.sealed.count)
            return true
        }
        var report = TrimReport(removed: removed.count)
        if !aged.isEmpty { report.dropped[.age] = aged.count }
        if !overflowing.isEmpty { report.dropped[.overflow] = overflowing.count }
        state.count(report.dropped)
        forget(removed + aged + overflowing)
        streams[stream] = state
        return report
    }

    /// Adds to a stream's ledger of losses.
    public func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) throws {
        try check()
        streams[stream, default: InMemoryStream()].count(losses)
    }

    /// Counts of a stream.
    public func statistics(_ stream: StreamName) throws -> StreamStatistics {
        try check()
        return streams[stream]?.statistics ?? StreamStatistics()
    }

    /// Entries of a stream in any state, in order of sequence.
    public func entries(_ stream: StreamName, after sequence: Int64, limit: Int) throws -> [Entry] {
        try check()
        return streams[stream]?.entries(after: sequence, limit: limit) ?? []
    }

    /// Entries of a stream sealed with `key`, in order of sequence.
    public func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) throws -> [Entry] {
        try check()
        let sealed = streams[stream]?.slots.lazy.map(\.entry).filter { $0.draft.keyID == key }
        return sealed.map { Array($0.prefix(max(0, limit))) } ?? []
    }

    /// Replaces sealed bytes of entries that are still sealed with their old key.
    public func reseal(_ entries: [Resealed]) throws -> Int {
        try check()
        return entries.reduce(0) { count, new in
            guard let place = places[new.id], let index = streams[place.stream]?.index(of: place.sequence),
                var entry = streams[place.stream]?.slots[index].entry, entry.draft.keyID == new.oldKey,
                let floor = streams[place.stream]?.keyFloor, new.newKey >= floor
            else { return count }
            entry.draft.keyID = new.newKey
            entry.draft.sealed = new.sealed
            if case .deadLettered(let reason, .some) = entry.state {
                // Under the new key's number the old note could not be opened: the next pass takes them together.
                guard let note = new.note else { return count }
                entry.state = .deadLettered(reason, note: note)
            }
            streams[place.stream]?.replace(at: index, with: entry)
            return count + 1
        }
    }

    /// Raises a stream's key floor, and returns the keys below it that entries still need.
    public func retireKeys(of stream: StreamName, below floor: KeyID) throws -> Set<KeyID> {
        try check()
        let state = streams[stream, default: InMemoryStream()]
        streams[stream, default: state].keyFloor = max(state.keyFloor, floor)
        return Set(state.slots.lazy.map(\.entry.draft.keyID).filter { $0 < floor })
    }

    /// Removes every entry of a stream, and counts the queued ones as lost.
    public func erase(_ stream: StreamName, reason: LossReason) throws -> Int {
        try check()
        guard var state = streams[stream] else { return 0 }
        let removed = state.remove { _ in true }
        state.count([reason: removed.filter { $0.state == .queued }.count])
        state.holding = nil
        forget(removed)
        streams[stream] = state
        return removed.count
    }

    /// The value called `name`.
    public func value(named name: String) throws -> [UInt8]? {
        try check()
        return values[name]
    }

    /// Stores a value in place of any earlier one; nil removes it.
    public func setValue(_ value: [UInt8]?, named name: String) throws {
        try check()
        values[name] = value
    }

    private func check() throws {
        if let failure { throw failure }
    }

    private func entry(_ id: EntryID) -> Entry? {
        guard let place = places[id], let stream = streams[place.stream] else { return nil }
        return stream.index(of: place.sequence).map { stream.slots[$0].entry }
    }

    private func forget(_ removed: [Entry]) {
        for entry in removed {
            places[entry.draft.id] = nil
            guard let place = entry.draft.place else { continue }
            histories[place.subject]?[place.version] = nil
            if histories[place.subject]?.isEmpty == true { histories[place.subject] = nil }
        }
    }
}
