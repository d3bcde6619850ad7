import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// What is wrapped behaves as it does by itself, but for the calls that a wrapper writes.
final class JournalWrapperTests: XCTestCase {
    private struct Plain: JournalWrapper { let base: any Journal }

    private struct FullDisk: JournalWrapper {
        let base: any Journal
        func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
            throw QueueStoreError(.full)
        }
    }

    func testPassesEveryCallOn() async {
        let queue = await Conformance.queueStore.run { Plain(base: InMemoryQueueStore()) }
        XCTAssertEqual(queue, [])
        let archive = await Conformance.entryArchive.run { Plain(base: InMemoryQueueStore()) }
        XCTAssertEqual(archive, [])
        let values = await Conformance.stateStore.run { Plain(base: InMemoryQueueStore()) }
        XCTAssertEqual(values, [])
    }

    func testAWrittenCallTakesThePlaceOfTheOther() async throws {
        let disk = FullDisk(base: InMemoryQueueStore())
        do {
            _ = try await disk.append([], durability: .powerLoss)
            XCTFail("it was taken")
        } catch let error as QueueStoreError { XCTAssertEqual(error.code, .full) }
        let counts = try await disk.statistics(.gate)
        XCTAssertEqual(counts.queued, 0)
    }
}
