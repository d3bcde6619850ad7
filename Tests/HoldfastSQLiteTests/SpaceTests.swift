import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// The size of the files, from empty to full and back.
final class SpaceTests: XCTestCase {
    private let cap: Int64 = 4_000_000
    private let now = Timestamp(milliseconds: 1_790_000_000_000)

    func testAQueueThatIsFullDrainedAndFilledAgainStaysBounded() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        var number = 0
        for round in 1...2 {
            // Twice as much as may stay.
            for _ in 0..<40 {
                number += 500
                _ = try await store.append(((number - 499)...number).map { .number($0) }, durability: .processDeath)
                _ = try await store.trim(.telemetry, to: Retention(maxQueuedBytes: cap), now: now)
            }
            let full = try await store.statistics(.telemetry)
            XCTAssertEqual(full.liveBytes, cap, "the cap counts live bytes; round \(round)")
            XCTAssertEqual(full.queued, 10_000)
            XCTAssertEqual(full.losses[.overflow], 10_000 * round)
            XCTAssertLessThan(full.diskBytes, cap * 2 + 7_000_000, "round \(round)")
            try await drain(store)
        }
        let empty = try await store.statistics(.telemetry)
        XCTAssertEqual(empty.queued, 0)
        await store.suspend()
        XCTAssertLessThan(try folder.size(), (Int(Space.freePagesKept) + 64) * 4096, "space was not given back")
        XCTAssertEqual(try folder.names, ["journal.sqlite"])
    }

    func testAnEmptiedQueueGivesBackItsFileAndItsLog() throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        for round in 1...3 {
            try keeper.perform(patiently: true) { file in
                for start in stride(from: 0, to: 10_000, by: 500) {
                    let drafts = (start..<start + 500).map { Draft.number(round * 10_000 + $0) }
                    _ = try file.append([drafts], durability: .processDeath)
                }
                XCTAssertGreaterThan(try file.bytesOnDisk(), cap)
                let none = Retention(maxQueuedBytes: 0)
                var progress = TrimProgress()
                while !progress.isDone { progress = try file.trim(.telemetry, to: none, now: now, progress) }
            }
            while keeper.needsMaintenance { XCTAssert(keeper.maintain()) }
            let files = try folder.names.reduce(0) { try $0 + folder.size($1) }
            XCTAssertLessThan(files, 2_500_000, "1 MiB of free pages and 1 MiB of log at most; round \(round)")
        }
    }

    func testALogThatAnotherProcessReadsIsEmptiedLater() throws {
        let folder = try TemporaryFolder()
        let sink = Collector()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: sink)
        try keeper.perform(patiently: true) { file in
            _ = try file.append([(0..<4000).map { .number($0) }], durability: .processDeath)
        }
        let other = try Connection(path: folder.path())
        try other.transaction(.begin) {
            XCTAssertGreaterThan(try other.number(.pageCount), 0)
            _ = try keeper.perform(patiently: true) { try $0.erase(.telemetry, reason: .consent) }
            XCTAssertFalse(keeper.maintain())
            XCTAssertTrue(keeper.needsMaintenance)
            XCTAssertEqual(sink.events, [], "another process's reading is no failure")
        }
        while keeper.needsMaintenance { XCTAssert(keeper.maintain()) }
        XCTAssertEqual(try folder.size("journal.sqlite-wal"), 0)
    }

    func testALogThatAReaderMadeLongIsCutWhenItStartsAnew() throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        func append(_ numbers: Range<Int>) throws {
            try keeper.perform(patiently: true) { file in
                _ = try file.append([numbers.map { .number($0, bytes: 3000) }], durability: .processDeath)
            }
            while keeper.needsMaintenance { XCTAssert(keeper.maintain()) }
        }
        let other = try Connection(path: folder.path())
        try other.transaction(.begin) {
            XCTAssertGreaterThan(try other.number(.pageCount), 0)
            for start in stride(from: 0, to: 3000, by: 500) { try append(start..<start + 500) }
        }
        XCTAssertGreaterThan(try folder.size("journal.sqlite-wal"), 2 * Space.logLimit)
        for start in stride(from: 3000, to: 4000, by: 500) { try append(start..<start + 500) }
        XCTAssertLessThanOrEqual(try folder.size("journal.sqlite-wal"), Space.logLimit)
    }

    func testDiskBytesAreThoseOfTheFiles() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append((1...2000).map { .number($0) }, durability: .processDeath)
        let told = try await store.statistics(.telemetry).diskBytes
        let files = try folder.names.reduce(0) { try $0 + folder.size($1) }
        XCTAssertEqual(Int(told), files)
    }

    func testTheLogIsCopiedAndStaysBounded() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        for start in stride(from: 0, to: 40_000, by: 100) {
            _ = try await store.append((start..<start + 100).map { .number($0) }, durability: .processDeath)
        }
        XCTAssertLessThan(try folder.size("journal.sqlite-wal"), 2 * Space.logLimit)
        XCTAssertGreaterThan(try folder.size(), 10_000_000, "nothing was copied out of the log")
    }

    func testIdsBeyondTheNewestAreFoundInTheTable() throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        let count = NewestIDs.limit + 3000
        try keeper.perform(patiently: true) { file in
            _ = try file.append([(0..<count).map { .number($0, bytes: 1) }], durability: .processDeath)
            XCTAssert(file.needsMaintenance)
        }
        while keeper.needsMaintenance { XCTAssert(keeper.maintain()) }
        try keeper.perform(patiently: true) { file in
            XCTAssertLessThanOrEqual(file.newestIDs.count, NewestIDs.limit)
            let old = try file.append([[.number(0), .number(2000), .number(count - 1)]], durability: .processDeath)
            XCTAssertEqual(old, [[.duplicate, .duplicate, .duplicate]])
            // Removing one that is in the table, and one that is not, frees both ids.
            _ = try file.trim(.telemetry, to: Retention(maxQueuedBytes: Int64(count - 1)), now: now, TrimProgress())
            let again = try file.append([[.number(0), .number(1)]], durability: .processDeath)
            XCTAssertEqual(again, [[.appended(sequence: Int64(count) + 1), .duplicate]])
        }
        keeper.close()
        let reopened = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        try reopened.perform(patiently: true) { file in
            let found = try file.append([[.number(1), .number(count - 1)]], durability: .processDeath)
            XCTAssertEqual(found, [[.duplicate, .duplicate]])
        }
    }

    func testTheRuleForGivingBack() {
        XCTAssertEqual(Space.excess(pages: 100, free: 100), 0)
        XCTAssertEqual(Space.excess(pages: 400, free: 300), 44)
        XCTAssertEqual(Space.excess(pages: 8000, free: 2000), 0)
        XCTAssertEqual(Space.excess(pages: 8000, free: 2001), 1)
        XCTAssertEqual(Space.indexBytes(log: 0, pageSize: 4096), 32_768)
        XCTAssertEqual(Space.indexBytes(log: 32 + 4062 * 4120, pageSize: 4096), 32_768)
        XCTAssertEqual(Space.indexBytes(log: 32 + 4063 * 4120, pageSize: 4096), 65_536)
    }

    private func drain(_ store: SQLiteQueueStore) async throws {
        let request = LeaseRequest(stream: .telemetry, maxCount: 500, now: now, duration: .seconds(30))
        while let lease = try await store.lease(request) {
            let outcomes = lease.entries.map { ($0.draft.id, EntryOutcome.delivered(keep: false)) }
            try await store.settle(
                lease.id,
                of: .telemetry,
                outcomes: Dictionary(outcomes, uniquingKeysWith: { first, _ in first }),
                retry: RetryState()
            )
        }
    }
}
