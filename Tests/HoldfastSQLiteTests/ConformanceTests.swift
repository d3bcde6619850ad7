import HoldfastConformance
import HoldfastDomain
import HoldfastSQLite
import XCTest

final class ConformanceTests: XCTestCase {
    func testKeepsThePromisesOfAQueue() async throws {
        let folder = try TemporaryFolder()
        let broken = await Conformance.queueStore.run { try folder.store() }
        XCTAssertEqual(broken, [])
    }

    func testKeepsThePromisesOfAnArchive() async throws {
        let folder = try TemporaryFolder()
        let broken = await Conformance.entryArchive.run { try folder.store() }
        XCTAssertEqual(broken, [])
    }

    func testKeepsThePromisesOfAStateStore() async throws {
        let folder = try TemporaryFolder()
        let broken = await Conformance.stateStore.run { try folder.store() }
        XCTAssertEqual(broken, [])
    }

    func testKeepsThePromisesOfADurableJournal() async throws {
        let folder = try TemporaryFolder()
        let broken = await Conformance.durableJournal.run {
            let path = folder.path(UUID().uuidString)
            return Conformance.JournalPlace(
                open: { try SQLiteQueueStore(path: path, diagnostics: Collector()) },
                close: { await ($0 as? SQLiteQueueStore)?.close() }
            )
        }
        XCTAssertEqual(broken, [])
    }
}
