import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// A sound journal of which one call at a time is replaced by a broken one.
struct Mutant: QueueStore, EntryArchive, StateStore {
    typealias Base = InMemoryQueueStore
    typealias Settlement = (
        lease: Lease.ID, stream: StreamName, outcomes: [EntryID: EntryOutcome], retry: RetryState
    )

    let base = InMemoryQueueStore()
    let memory = Memory()

    var appending: @Sendable (Self, [Draft]) async throws -> [AppendOutcome] = {
        try await $0.base.append($1, durability: .processDeath)
    }
    var finding: @Sendable (Self, Subject) async throws -> Entry? = { try await $0.base.latest($1) }
    var leasing: @Sendable (Self, LeaseRequest) async throws -> Lease? = { store, request in
        let lease = try await store.base.lease(request)
        await store.memory.note(lease)
        return lease
    }
    var settling: @Sendable (Self, Settlement) async throws -> Void = { try await $0.base.settle($1) }
    var trimming: @Sendable (Self, StreamName, Retention, Timestamp) async throws -> TrimReport = {
        try await $0.base.trim($1, to: $2, now: $3)
    }
    var recording: @Sendable (Self, [LossReason: Int], StreamName) async throws -> Void = {
        try await $0.base.recordLosses($1, of: $2)
    }
    var counting: @Sendable (Self, StreamName) async throws -> StreamStatistics = { try await $0.base.statistics($1) }
    var listing: @Sendable (Self, StreamName, Int64, Int) async throws -> [Entry] = {
        try await $0.base.entries($1, after: $2, limit: $3)
    }
    var searching: @Sendable (Self, StreamName, KeyID, Int) async throws -> [Entry] = {
        try await $0.base.entries($1, sealedWith: $2, limit: $3)
    }
    var resealing: @Sendable (Self, [Resealed]) async throws -> Int = { try await $0.base.reseal($1) }
    var retiring: @Sendable (Self, StreamName, KeyID) async throws -> Set<KeyID> = {
        try await $0.base.retireKeys(of: $1, below: $2)
    }
    var erasing: @Sendable (Self, StreamName, LossReason) async throws -> Int = {
        try await $0.base.erase($1, reason: $2)
    }
    var reading: @Sendable (Self, String) async throws -> [UInt8]? = { try await $0.base.value(named: $1) }
    var writing: @Sendable (Self, [UInt8]?, String) async throws -> Void = {
        try await $0.base.setValue($1, named: $2)
    }

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        try await appending(self, drafts)
    }
    func latest(_ subject: Subject) async throws -> Entry? { try await finding(self, subject) }
    func lease(_ request: LeaseRequest) async throws -> Lease? { try await leasing(self, request) }
    func settle(
        _ lease: Lease.ID,
        of stream: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) async throws {
        try await settling(self, (lease, stream, outcomes, retry))
    }
    func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport {
        try await trimming(self, stream, retention, now)
    }
    func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) async throws {
        try await recording(self, losses, stream)
    }
    func statistics(_ stream: StreamName) async throws -> StreamStatistics { try await counting(self, stream) }
    func entries(_ stream: StreamName, after sequence: Int64, limit: Int) async throws -> [Entry] {
        try await listing(self, stream, sequence, limit)
    }
    func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) async throws -> [Entry] {
        try await searching(self, stream, key, limit)
    }
    func reseal(_ entries: [Resealed]) async throws -> Int { try await resealing(self, entries) }
    func retireKeys(of stream: StreamName, below floor: KeyID) async throws -> Set<KeyID> {
        try await retiring(self, stream, floor)
    }
    func erase(_ stream: StreamName, reason: LossReason) async throws -> Int { try await erasing(self, stream, reason) }
    func value(named name: String) async throws -> [UInt8]? { try await reading(self, name) }
    func setValue(_ value: [UInt8]?, named name: String) async throws { try await writing(self, value, name) }
}

/// What a mutant remembers besides.
actor Memory {
    var leases: [Lease.ID: Lease] = [:]
    var newest: Lease?
    var latestNow = Timestamp.distantPast
    var lastOfSubject: [Subject: Entry] = [:]
    var newestIDs: [EntryID] = []
    private(set) var floor = KeyID(1)

    func raise(_ floor: KeyID) { self.floor = max(self.floor, floor) }

    func set(_ floor: KeyID) { self.floor = floor }

    private(set) var appends = 0

    func countAppend() -> Int {
        appends += 1
        return appends
    }

    func note(_ lease: Lease?) {
        guard let lease else { return }
        leases[lease.id] = lease
        newest = lease
    }

    func forgetLeases() { newest = nil }

    /// The latest time that was ever asked for.
    func advance(to now: Timestamp) -> Timestamp {
        latestNow = max(latestNow, now)
        return latestNow
    }

    func note(_ draft: Draft, sequence: Int64) {
        guard let subject = draft.place?.subject else { return }
        lastOfSubject[subject] = Entry(draft: draft, sequence: sequence)
    }

    func noteIDs(_ ids: [EntryID]) -> Set<EntryID> {
        let earlier = newestIDs
        newestIDs = (newestIDs + ids).suffix(1000)
        return Set(earlier)
    }
}

extension InMemoryQueueStore {
    func settle(_ settlement: Mutant.Settlement) throws {
        try settle(
            settlement.lease,
            of: settlement.stream,
            outcomes: settlement.outcomes,
            retry: settlement.retry
        )
    }
}

/// The names of the promises that a suite found broken.
func broken<Subject>(_ suite: ConformanceSuite<Subject>, _ make: @Sendable () async throws -> Subject) async -> Set<
    String
> {
    Set(await suite.run(on: make).map(\.check))
}
