import Foundation
import HoldfastDomain
import HoldfastInMemory

/// A journal whose appends hang, with the thread that they came on, as on a disk that does not answer.
// The condition's lock guards what changes.
final class StallingJournal: JournalWrapper, @unchecked Sendable {
    let base: any Journal
    private let condition = NSCondition()
    private var isStalled = false

    init(_ base: any Journal) { self.base = base }

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
        return try await base.append(drafts, durability: durability)
    }
}
