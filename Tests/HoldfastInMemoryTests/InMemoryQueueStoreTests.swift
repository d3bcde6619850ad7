import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

final class InMemoryQueueStoreTests: XCTestCase {
    func testKeepsThePromisesOfAQueue() async {
        let broken = await Conformance.queueStore.run { InMemoryQueueStore() }
        XCTAssertEqual(broken, [])
    }

    func testKeepsThePromisesOfAnArchive() async {
        let broken = await Conformance.entryArchive.run { InMemoryQueueStore() }
        XCTAssertEqual(broken, [])
    }

    func testKeepsThePromisesOfAStateStore() async {
        let broken = await Conformance.stateStore.run { InMemoryQueueStore() }
        XCTAssertEqual(broken, [])
    }

    func testKeepsThePromisesOfOneThatFails() async {
        let broken = await Conformance.failingJournal.run {
            let store = InMemoryQueueStore()
            return Conformance.FailingJournal(store) { await store.fail(with: $0 ? QueueStoreError(.full) : nil) }
        }
        XCTAssertEqual(broken, [])
    }

    func testFailsAsToldAndDoesNothing() async throws {
        let store = InMemoryQueueStore()
        let draft = Draft(
            id: EntryID(high: 1, low: 1),
            stream: .gate,
            recordedAt: Timestamp(milliseconds: 1),
            keyID: KeyID(1),
            sealed: [1]
        )
        await store.fail(with: QueueStoreError(.full))
        await assertThrows(QueueStoreError(.full)) { try await store.append([draft], durability: .powerLoss) }
        await assertThrows(QueueStoreError(.full)) { try await store.statistics(.gate) }
        await assertThrows(QueueStoreError(.full)) { try await store.setValue([1], named: "a") }
        await store.fail(with: nil)
        let count = try await store.statistics(.gate).lastSequence
        XCTAssertEqual(count, 0)
    }
}
