import Foundation
import HoldfastDomain

/// A journal whose appends hang, with the thread that they came on, as on a disk that does not answer.
// The condition's lock guards what changes.
final class StallingJournal: Journal, @unchecked Sendable {
    private let journal: any Journal
    private let condition = NSCondition()
    private var isStalled = false

    init(_ journal: any Journal) { self.journal = journal }

    func stall() { condition.withLock { isStalled = true } }

    func resume() {
        condition.withLock {
            isStalled = false
            condition.broadcast()
        }
    }

    private func pass() {
        condition.withLock { while isStalled { condition.wait() } }
    }

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        pass()
        return try await journal.append(drafts, durability: durability)
    }

    func latest(_ subject: Subject) async throws -> Entry? { try await journal.latest(subject) }

    func lease(_ request: LeaseRequest) async throws -> Lease? { try await journal.lease(request) }

    func settle(
        _ lease: Lease.ID,
        of stream: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) async throws {
        try await journal.settle(lease, of: stream, outcomes: outcomes, retry: retry)
    }

    func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport {
        try await journal.trim(stream, to: retention, now: now)
    }

    func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) async throws {
        try await journal.recordLosses(losses, of: stream)
    }

    func statistics(_ stream: StreamName) async throws -> StreamStatistics { try await journal.statistics(stream) }

    func entries(_ stream: StreamName, after sequence: Int64, limit: Int) async throws -> [Entry] {
        try await journal.entries(stream, after: sequence, limit: limit)
    }

    func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) async throws -> [Entry] {
        try await journal.entries(stream, sealedWith: key, limit: limit)
    }

    func reseal(_ entries: [Resealed]) async throws -> Int { try await journal.reseal(entries) }

    func retireKeys(of stream: StreamName, below floor: KeyID) async throws -> Set<KeyID> {
        try await journal.retireKeys(of: stream, below: floor)
    }

    func erase(_ stream: StreamName, reason: LossReason) async throws -> Int {
        try await journal.erase(stream, reason: reason)
    }

    func value(named name: String) async throws -> [UInt8]? { try await journal.value(named: name) }

    func setValue(_ value: [UInt8]?, named name: String) async throws {
        try await journal.setValue(value, named: name)
    }
}
