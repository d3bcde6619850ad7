import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

final class OpeningTests: XCTestCase {
    func testOnePathIsOpenOnceInAProcess() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path())
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("folder"),
            withDestinationPath: folder.url.path
        )
        for path in [
            folder.path(), folder.path("link"), folder.path("folder/journal.sqlite"), folder.path("./journal.sqlite"),
        ] {
            await assertThrows(.alreadyOpen) { try SQLiteQueueStore(path: path, diagnostics: Collector()) }
        }
        await store.close()
        let again = try SQLiteQueueStore(path: folder.path("link"), diagnostics: Collector())
        await again.close()
        var dropped: SQLiteQueueStore? = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        XCTAssertNotNil(dropped)
        dropped = nil
        _ = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
    }

    func testOnlyThisUserMayReadTheFiles() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append([.number(1)], durability: .processDeath)
        for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600, name)
        }
    }

    func testAPathThatCannotBeIsToldApart() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("file")))
        await assertThrows(.noDirectory) {
            try SQLiteQueueStore(path: folder.path("missing/journal.sqlite"), diagnostics: Collector())
        }
        for path in [folder.url.path, folder.path("file/journal.sqlite"), "", "/"] {
            await assertThrows(.cannotOpen) { try SQLiteQueueStore(path: path, diagnostics: Collector()) }
        }
    }

    func testAPipeInTheFilesPlaceIsNotWaitedFor() async throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(mkfifo(folder.path(), 0o600), 0)
        XCTAssertThrowsError(try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())) { error in
            XCTAssertNotNil(error as? QueueStoreError)
        }
    }

    func testANewerFileIsLeftAsItIs() async throws {
        let folder = try TemporaryFolder()
        try await SQLiteQueueStore(path: folder.path(), diagnostics: Collector()).close()
        try Connection(path: folder.path()).execute("PRAGMA user_version = 99")
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path()))
        let sink = Collector()
        await assertThrows(.newerVersion) { try SQLiteQueueStore(path: folder.path(), diagnostics: sink) }
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: folder.path())), before)
        XCTAssertEqual(try folder.names.filter { $0.contains("damaged") }, [])
        XCTAssertEqual(sink.events, [])
    }

    func testAnotherProgramsDatabaseIsLeftAsItIs() async throws {
        let folder = try TemporaryFolder()
        for setting in ["SELECT 1", "PRAGMA application_id = 7", "PRAGMA user_version = 1"] {
            let path = folder.path(UUID().uuidString)
            let other = try Connection(path: path)
            try other.execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1); \(setting)")
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            await assertThrows(.notAJournal) { try SQLiteQueueStore(path: path, diagnostics: Collector()) }
            XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
        }
    }

    func testAnOlderFileIsBroughtForward() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append([.number(1)], durability: .processDeath)
        await store.close()
        let connection = try Connection(path: folder.path())
        let later = Schema.steps + ["ALTER TABLE queued ADD COLUMN colour TEXT", "CREATE TABLE added (a)"]
        try Schema.prepare(connection, steps: later)
        XCTAssertEqual(try connection.column("PRAGMA user_version") { try $0.number() }, [Int64(later.count)])
        XCTAssertEqual(
            try connection.column("SELECT count(*) FROM queued WHERE colour IS NULL") { try $0.number() },
            [1]
        )
        try Schema.prepare(connection, steps: later)
    }

    func testAFileOfTheFirstVersionGetsAKeyFloor() async throws {
        let folder = try TemporaryFolder()
        do {
            let connection = try Connection(path: folder.path())
            try Schema.prepare(connection, steps: Array(Schema.steps.prefix(1)))
            try connection.execute("INSERT INTO stream (name, last_sequence) VALUES ('telemetry', 7)")
        }
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let floor = try await store.statistics(.telemetry).keyFloor
        XCTAssertEqual(floor, KeyID(1))
        _ = try await store.retireKeys(of: .telemetry, below: KeyID(2))
        let outcomes = try await store.append([.number(1), .number(2, key: 2)], durability: .processDeath)
        XCTAssertEqual(outcomes, [.keyRetired(floor: KeyID(2)), .appended(sequence: 8)])
    }

    func testALeaseOfAnOlderVersionIsEnded() async throws {
        let folder = try TemporaryFolder()
        do {
            let connection = try Connection(path: folder.path())
            try Schema.prepare(connection, steps: Array(Schema.steps.prefix(2)))
            try connection.execute(
                """
                INSERT INTO stream (name, last_sequence) VALUES ('telemetry', 0);
                INSERT INTO lease (stream, id, granted, expires, process, started, sequences)
                VALUES (1, 'old-1', 0, \(Int64.max), \(getpid()), '', x'0000000000000001')
                """
            )
        }
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append([.number(1)], durability: .processDeath)
        let lease = try await store.lease(
            LeaseRequest(stream: .telemetry, maxCount: 1, now: Timestamp(milliseconds: 5), duration: .seconds(60))
        )
        XCTAssertEqual(lease?.entries.map(\.sequence), [1])
    }

    func testAMigrationThatFailsChangesNothing() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.path())
        try Schema.prepare(connection)
        let later = Schema.steps + ["CREATE TABLE added (a)", "CREATE TABLE added (a)"]
        XCTAssertThrowsError(try Schema.prepare(connection, steps: later))
        XCTAssertEqual(
            try connection.column("PRAGMA user_version") { try $0.number() },
            [Int64(Schema.steps.count)]
        )
        XCTAssertEqual(
            try connection.column("SELECT count(*) FROM sqlite_master WHERE name = 'added'") { try $0.number() },
            [0]
        )
    }

    func testSuspendingLetsGoAndResumingGoesOn() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append([.number(1)], durability: .processDeath)
        await store.suspend()
        XCTAssertEqual(try folder.names, ["journal.sqlite"], "a side file is left, so the file is open")
        await assertThrows(.closed) { try await store.append([.number(2)], durability: .processDeath) }
        await assertThrows(.closed) { try await store.statistics(.telemetry) }
        // Still this process's: nobody else may take it meanwhile.
        await assertThrows(.alreadyOpen) { try SQLiteQueueStore(path: folder.path(), diagnostics: Collector()) }
        try await store.resume()
        try await store.resume()
        let outcome = try await store.append([.number(2)], durability: .processDeath)
        XCTAssertEqual(outcome, [.appended(sequence: 2)])
        await store.close()
        await store.suspend()
        await assertThrows(.closed) { try await store.resume() }
        await assertThrows(.closed) { try await store.latest(Subject(bytes: [1])) }
    }

    func testARemovedFileIsNoticed() async throws {
        let folder = try TemporaryFolder()
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        _ = try await store.append([.number(1)], durability: .processDeath)
        for name in try folder.names { try FileManager.default.removeItem(atPath: folder.path(name)) }
        let outcome = try await store.append([.number(1)], durability: .processDeath)
        XCTAssertEqual(outcome, [.appended(sequence: 1)], "appended to a file that has no name any more")
        XCTAssertEqual(sink.events.map(\.code), [.journalLost])
        await store.close()
        let again = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let count = try await again.statistics(.telemetry).queued
        XCTAssertEqual(count, 1)
    }
}
