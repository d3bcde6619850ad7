import HoldfastConformance
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// Another connection that keeps the file locked for writing.
private actor OtherWriter {
    private var connection: Connection?

    func setLocking(_ isLocking: Bool, _ path: String) throws {
        connection = nil
        guard isLocking else { return }
        let other = try Connection(path: path)
        try other.run(.beginImmediate)
        connection = other
    }
}

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

    func testKeepsThePromisesOfOneThatFails() async throws {
        let folder = try TemporaryFolder()
        let broken = await Conformance.failingJournal.run {
            let path = folder.path(UUID().uuidString)
            let configuration = SQLiteQueueStore.Configuration(busyTimeout: .milliseconds(5))
            let store = try SQLiteQueueStore(path: path, configuration: configuration, diagnostics: Collector())
            let other = OtherWriter()
            return Conformance.FailingJournal(store) { try await other.setLocking($0, path) }
        }
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
