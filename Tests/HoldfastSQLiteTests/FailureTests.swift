import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Files that are locked, full or not to be written: told apart, and left where they are.
final class FailureTests: XCTestCase {
    func testALockedFileIsWaitedForThenBusy() async throws {
        let folder = try TemporaryFolder()
        let sink = Collector()
        let store = try SQLiteQueueStore(
            path: folder.path(),
            configuration: .init(busyTimeout: .milliseconds(50)),
            diagnostics: sink
        )
        _ = try await store.append([.number(1)], durability: .processDeath)
        let other = try Connection(path: folder.path())
        try other.run(.beginImmediate)
        await assertThrows(.busy) { try await store.append([.number(2)], durability: .processDeath) }
        await assertThrows(.busy) { try await store.setValue([1], named: "a") }
        // Reading goes on meanwhile.
        let count = try await store.statistics(.telemetry).queued
        XCTAssertEqual(count, 1)
        try other.run(.commit)
        let outcome = try await store.append([.number(2)], durability: .processDeath)
        XCTAssertEqual(outcome, [.appended(sequence: 2)])
        XCTAssertFalse(try folder.names.contains { $0.contains("damaged") })
        XCTAssertEqual(sink.events, [])
    }

    func testADirectoryThatAStoppedProcessHoldsIsWaitedForThenBusy() async throws {
        let folder = try TemporaryFolder()
        let stopped = open(folder.url.path, O_RDONLY)
        XCTAssertEqual(flock(stopped, LOCK_EX), 0)
        let sink = Collector()
        let configuration = SQLiteQueueStore.Configuration(directoryTimeout: .milliseconds(30))
        await assertThrows(.busy) {
            try SQLiteQueueStore(path: folder.path(), configuration: configuration, diagnostics: sink)
        }
        XCTAssertEqual(sink.events, [DiagnosticEvent(.storeAwaited)])
        XCTAssertEqual(try folder.names, [])
        close(stopped)
        let store = try SQLiteQueueStore(path: folder.path(), configuration: configuration, diagnostics: sink)
        let outcome = try await store.append([.number(1)], durability: .processDeath)
        XCTAssertEqual(outcome, [.appended(sequence: 1)])
        XCTAssertEqual(sink.events.count, 1)
    }

    func testWhoeverHasToldThatItWaitsGoesOnWhenTheLockIsFree() throws {
        let folder = try TemporaryFolder()
        let other = open(folder.url.path, O_RDONLY)
        XCTAssertEqual(flock(other, LOCK_EX), 0)
        var told = 0
        let patience = LockPatience(limit: .hours(1), quiet: .milliseconds(3)) {
            told += 1
            close(other)
        }
        let value = try FileSystem.withDirectoryLocked(of: folder.path(), patience: patience) { 7 }
        XCTAssertEqual(value, 7)
        XCTAssertEqual(told, 1)
    }

    func testWhoeverWaitsForALockHoldsUpNobody() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let other = try Connection(path: folder.path())
        try other.run(.beginImmediate)
        // More of them than a small machine has threads; they all wait on the store's own queue.
        let waiting = (1...16).map { number in
            Task { try await store.append([.number(number)], durability: .processDeath) }
        }
        let elsewhere = await Task { 42 }.value
        XCTAssertEqual(elsewhere, 42)
        try other.run(.commit)
        var sequences: Set<Int64> = []
        for task in waiting {
            guard case .appended(let sequence) = try await task.value[0] else { return XCTFail("not appended") }
            sequences.insert(sequence)
        }
        XCTAssertEqual(sequences, Set(1...16))
    }

    func testAppendsThatWaitShareOneTransaction() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append([.number(0)], durability: .processDeath)
        let other = try Connection(path: folder.path())
        try other.run(.beginImmediate)
        let tasks = (1...64).map { number in
            Task { try await store.append([.number(number)], durability: .powerLoss) }
        }
        // Until all of them wait; each yield lets others of the pool run.
        for _ in 0..<10_000 { await Task.yield() }
        let before = try other.fileSizes().log
        try other.run(.commit)
        for task in tasks { _ = try await task.value }
        let pages = (try other.fileSizes().log - before) / 4120
        XCTAssertLessThan(pages, 40, "64 appends that could share a transaction wrote \(pages) pages")
    }

    /// Both those that find the journal free and those that wait for it.
    func testAnAppendSurvivesWhatItIsAskedTo() async throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        let turns = Turns(keeper)
        func synchronous() async throws -> [Int64] {
            try await turns.short { try $0.connection.column("PRAGMA synchronous") { try $0.number() } }
        }
        for (number, durability) in [Durability.processDeath, .powerLoss, .processDeath].enumerated() {
            _ = try await turns.append([.number(number)], durability: durability)
            let mode = try await synchronous()
            XCTAssertEqual(mode, [durability == .powerLoss ? 2 : 1], "FULL, or NORMAL")
        }
        let other = try Connection(path: folder.path())
        try other.run(.beginImmediate)
        let tasks = (10..<20).map { number in
            Task { try await turns.append([.number(number)], durability: .powerLoss) }
        }
        for _ in 0..<10_000 { await Task.yield() }
        try other.run(.commit)
        for task in tasks { _ = try await task.value }
        let mode = try await synchronous()
        XCTAssertEqual(mode, [2], "FULL")
    }

    func testOneImpossibleDraftDoesNotFailTheOthers() async throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        let turns = Turns(keeper)
        let other = try Connection(path: folder.path())
        // In the place of SQLite's own limit, which would take a gigabyte.
        try other.execute(
            """
            CREATE TRIGGER limited BEFORE INSERT ON queued WHEN length(new.sealed) > 5000
            BEGIN SELECT raise(ABORT, 'too large'); END
            """
        )
        try other.run(.beginImmediate)
        let tasks = [400, 6000, 400].enumerated().map { number, bytes in
            Task { try await turns.append([.number(number, bytes: bytes)], durability: .processDeath) }
        }
        for _ in 0..<10_000 { await Task.yield() }
        try other.run(.commit)
        var results: [Bool] = []
        for task in tasks { results.append((try? await task.value) != nil) }
        XCTAssertEqual(results, [true, false, true])
    }

    func testAFileThatMayNotBeWrittenIsReadOnly() async throws {
        let folder = try TemporaryFolder()
        try await SQLiteQueueStore(path: folder.path(), diagnostics: Collector()).close()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        try keeper.perform(patiently: true) { try $0.connection.execute("PRAGMA query_only = ON") }
        XCTAssertThrowsError(
            try keeper.perform(patiently: true) { try $0.append([[.number(1)]], durability: .processDeath) }
        ) { XCTAssertEqual(($0 as? QueueStoreError)?.code, .readOnly) }
        XCTAssertFalse(try folder.names.contains { $0.contains("damaged") })
    }

    #if os(Linux)
    /// A volume of two mebibytes.
    private func smallVolume(in folder: TemporaryFolder) throws -> String {
        let volume = folder.path("volume")
        try FileManager.default.createDirectory(atPath: volume, withIntermediateDirectories: true)
        guard mount("tmpfs", volume, "tmpfs", 0, "size=2m") == 0 else {
            throw XCTSkip("a small volume cannot be mounted here")
        }
        return volume
    }

    func testALogThatFillsTheDiskGivesItsRoomBack() async throws {
        let folder = try TemporaryFolder()
        let volume = try smallVolume(in: folder)
        defer { umount2(volume, Int32(MNT_DETACH)) }
        let sink = Collector()
        let path = volume + "/journal.sqlite"
        let first = try SQLiteQueueStore(path: path, diagnostics: sink)
        try await first.setValue([UInt8](repeating: 0, count: 3000), named: "value")
        _ = try await first.append([.number(0)], durability: .powerLoss)
        await first.close()
        let store = try SQLiteQueueStore(path: path, diagnostics: sink)
        // Eight mebibytes of log over one value: it fits the disk a hundred times, its history does not.
        for number in 0..<1000 {
            try await store.setValue([UInt8](repeating: UInt8(number % 251), count: 3000), named: "value")
        }
        let value = try await store.value(named: "value")
        XCTAssertEqual(value, [UInt8](repeating: UInt8(999 % 251), count: 3000))
        XCTAssertEqual(sink.events, [])
        let outcome = try await store.append([.number(1)], durability: .powerLoss)
        XCTAssertEqual(outcome, [.appended(sequence: 2)])
        await store.close()
    }

    func testAFullDiskLosesNothingAndRecovers() async throws {
        let folder = try TemporaryFolder()
        let volume = try smallVolume(in: folder)
        defer { umount2(volume, Int32(MNT_DETACH)) }
        let sink = Collector()
        let store = try SQLiteQueueStore(path: volume + "/journal.sqlite", diagnostics: sink)
        var acknowledged = 0
        do {
            while acknowledged < 10_000 {
                let drafts = (acknowledged..<acknowledged + 50).map { Draft.number($0) }
                _ = try await store.append(drafts, durability: .processDeath)
                acknowledged += 50
            }
            XCTFail("the volume never became full")
        } catch let error as QueueStoreError {
            XCTAssertEqual(error.code, .full)
        }
        XCTAssertGreaterThan(acknowledged, 500)
        let during = try await store.statistics(.telemetry)
        XCTAssertEqual(during.queued, acknowledged)
        // Another store on the full volume says so too, and makes way for nothing.
        await assertThrows(.full) { try SQLiteQueueStore(path: volume + "/other.sqlite", diagnostics: Collector()) }
        XCTAssertFalse(
            try FileManager.default.contentsOfDirectory(atPath: volume).contains { $0.contains("damaged") }
        )
        XCTAssertEqual(mount("tmpfs", volume, "tmpfs", UInt(MS_REMOUNT), "size=8m"), 0)
        let after = try await store.append([.number(20_000)], durability: .powerLoss)
        XCTAssertEqual(after, [.appended(sequence: Int64(acknowledged) + 1)])
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        XCTAssertEqual(entries.count, acknowledged + 1)
        await store.close()
    }
    #endif

    func testMaintenanceThatFailsIsReportedAndTriedAgain() async throws {
        let folder = try TemporaryFolder()
        let sink = Collector()
        let keeper = try JournalKeeper(
            path: folder.path(),
            configuration: .init(busyTimeout: .zero),
            diagnostics: sink
        )
        try keeper.perform(patiently: true) { file in
            _ = try file.append([(0..<3000).map { .number($0, bytes: 4000) }], durability: .processDeath)
            _ = try file.erase(.telemetry, reason: .consent)
        }
        let other = try Connection(path: folder.path())
        try other.run(.beginImmediate)
        XCTAssertFalse(keeper.maintain())
        XCTAssertEqual(sink.events, [], "another process's lock is no failure")
        try other.run(.commit)
        try keeper.perform(patiently: true) { try $0.connection.execute("PRAGMA query_only = ON") }
        XCTAssertFalse(keeper.maintain())
        XCTAssertEqual(sink.events.map(\.code), [.storeFailed])
        try keeper.perform(patiently: true) { try $0.connection.execute("PRAGMA query_only = OFF") }
        while keeper.needsMaintenance { XCTAssert(keeper.maintain()) }
        try keeper.perform(patiently: true) { try $0.connection.checkpoint(truncating: true) }
        XCTAssertLessThan(try folder.size(), 2_000_000)
    }
}
