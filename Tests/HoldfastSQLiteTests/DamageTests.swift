import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// Damaged files are moved aside, what can be read goes on, and it is told.
final class DamageTests: XCTestCase {
    func testATextFileIsMovedAside() async throws {
        let folder = try TemporaryFolder()
        let text = Data(
            "not a database, but somebody's notes, and longer than a header of a hundred bytes is\n".utf8
                + [UInt8](repeating: 65, count: 200)
        )
        try text.write(to: URL(fileURLWithPath: folder.path()))
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let outcome = try await store.append([.number(1)], durability: .processDeath)
        XCTAssertEqual(outcome, [.appended(sequence: 1)])
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: folder.path("journal.sqlite.damaged-1"))), text)
        XCTAssertEqual(sink.events.map(\.code), [.storeSalvaged])
        XCTAssertEqual(sink.events.first?.count, 0)
        await store.close()
        XCTAssertEqual(try folder.names, ["journal.sqlite", "journal.sqlite.damaged-1"])
    }

    func testAFileWithoutAByteIsANewDatabase() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path()))
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        _ = try await store.append([.number(1)], durability: .processDeath)
        XCTAssertEqual(sink.events, [])
        XCTAssertFalse(try folder.names.contains { $0.contains("damaged") })
    }

    func testDamagedPagesLoseOnlyWhatLayOnThem() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 600)
        try Pages.overwrite(Array(try Pages.of("queued", in: folder.path()).leaves[10..<13]), in: folder.path())
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        // Found when it is read, not before.
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        let counts = try await store.statistics(.telemetry)
        let lost = 600 - entries.count
        XCTAssert((10...40).contains(lost), "\(lost) are lost")
        XCTAssertEqual(counts.losses[.corruption], lost)
        XCTAssertEqual(
            sink.events,
            [DiagnosticEvent(.storeSalvaged, count: lost, platformCode: sink.events.first?.platformCode)]
        )
        XCTAssertEqual(counts.queued + counts.delivered + counts.deadLettered, entries.count)
        XCTAssertEqual(counts.lastSequence, 600)
        try await assertCarriedOver(store, entries)
        await store.close()
        XCTAssert(try folder.names.contains("journal.sqlite.damaged-1"))
    }

    func testADamagedPageInsideTheTreeLosesLittle() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 6000)
        // Not the root, but one of those below it.
        try Pages.overwrite([try Pages.of("queued", in: folder.path()).inner[1]], in: folder.path())
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        let counts = try await store.statistics(.telemetry)
        XCTAssertEqual(counts.losses[.corruption], sink.events.first?.count)
        XCTAssertEqual(counts.queued, entries.filter { $0.state == .queued }.count)
        XCTAssertGreaterThan(entries.count, 100)
        let next = try await store.append([.number(9_999_999)], durability: .processDeath)
        XCTAssertEqual(next, [.appended(sequence: 6001)])
    }

    func testTheFirstPageOverwrittenWhileOpen() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 50)
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        _ = try await store.append([.number(1000)], durability: .processDeath)
        try Pages.overwrite([1], in: folder.path())
        await store.close()
        let reopened = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let outcome = try await reopened.append([.number(1001)], durability: .processDeath)
        guard case .appended = outcome[0] else { return XCTFail("\(outcome)") }
        XCTAssertEqual(sink.events.map(\.code), [.storeSalvaged])
        XCTAssertEqual(sink.events.map(\.count), [0])
        let entries = try await reopened.entries(.telemetry, after: 0, limit: .max)
        XCTAssertEqual(entries.map(\.sequence), Array(1...52))
        try await assertCarriedOver(reopened, Array(entries.prefix(50)))
        XCTAssert(try folder.names.contains("journal.sqlite.damaged-1"))
        XCTAssertFalse(try folder.names.contains { $0.contains("salvag") || $0.contains("graft") })
    }

    func testDamageWhileOpenIsMendedUnderTheCall() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 600)
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        try Pages.overwrite(Array(leaves[20..<22]), in: folder.path())
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        XCTAssert((560..<600).contains(entries.count), "\(entries.count)")
        XCTAssertEqual(sink.events.map(\.count), [600 - entries.count])
        let twice = try await store.append([.number(599)], durability: .processDeath)
        XCTAssertEqual(twice, [.duplicate], "an id was forgotten")
    }

    func testAnEarlierDamagedFileIsNotOverwritten() async throws {
        let folder = try TemporaryFolder()
        for name in ["journal.sqlite", "journal.sqlite.damaged-1", "journal.sqlite.damaged-2-wal"] {
            try Data(repeating: 66, count: 500).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        await store.close()
        XCTAssertEqual(
            try folder.names,
            [
                "journal.sqlite", "journal.sqlite.damaged-1", "journal.sqlite.damaged-2-wal",
                "journal.sqlite.damaged-3",
            ]
        )
    }

    func testARowThatCannotBeUnderstoodIsLeftBehind() async throws {
        for change in [
            "id = x'00'", "recorded_at = 'yesterday'", "key_id = -1", "subject = 7", "version = NULL",
            "sealed = 5", "key_id = 99999999999",
        ] {
            let folder = try TemporaryFolder()
            try await fill(folder, count: 20)
            try Connection(path: folder.path()).execute("UPDATE queued SET \(change) WHERE key & 0xff = 12")
            let sink = Collector()
            let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
            let entries = try await store.entries(.telemetry, after: 0, limit: .max)
            XCTAssertEqual(entries.count, 19, change)
            XCTAssertFalse(entries.contains { $0.sequence == 12 }, change)
            let losses = try await store.statistics(.telemetry).losses
            XCTAssertEqual(losses[.corruption], 1, change)
            XCTAssertEqual(sink.events.map(\.count), [1], change)
        }
    }

    func testARowIsMissedThoughTheStreamsRowDoesNotCountItYet() async throws {
        for lost in [[1], [4, 5, 8], []] {
            let folder = try TemporaryFolder()
            let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
            _ = try await store.append((1...10).map { .number($0) }, durability: .processDeath)
            await store.close()
            let keys = lost.map { "\($0)" }.joined(separator: ",")
            let change = "UPDATE queued SET sealed = 5 WHERE key & 0xff IN (\(keys))"
            try Connection(path: folder.path()).execute(change + "; UPDATE queued SET id = 7 WHERE key & 0xff = 10")
            let reopened = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
            let entries = try await reopened.entries(.telemetry, after: 0, limit: .max)
            XCTAssertEqual(entries.count, 9 - lost.count)
            let losses = try await reopened.statistics(.telemetry).losses
            XCTAssertEqual(losses[.corruption], lost.count + 1, "the last one too: its number is there")
        }
    }

    func testAStreamsRowThatCannotBeUnderstoodIsMadeAnew() async throws {
        for change in [
            "last_sequence = -1", "keys = x'00'", "queued = 'many'", "indexed_through = 999", "live_bytes = -5",
            "newest = x'00'", "key_floor = -1",
            "queued = queued + 524288", "delivered = 524288", "dead_lettered = 524288", "queued = 0",
            "last_sequence = last_sequence + 524288, queued = queued + 524288",
        ] {
            let folder = try TemporaryFolder()
            try await fill(folder, count: 20)
            try Connection(path: folder.path()).execute("UPDATE stream SET \(change)")
            let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
            let entries = try await store.entries(.telemetry, after: 0, limit: .max)
            let counts = try await store.statistics(.telemetry)
            XCTAssertEqual(entries.count, 20, change)
            XCTAssertEqual(counts.queued + counts.delivered + counts.deadLettered, 20, change)
            XCTAssertEqual(counts.lastSequence, 20, change)
            XCTAssertNil(counts.losses[.corruption], change)
        }
    }

    func testATruncatedFileKeepsItsBeginning() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 600)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path()))
        try file.truncate(atOffset: UInt64(try folder.size() / Pages.size / 2 * Pages.size))
        try file.close()
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        XCTAssert((100..<600).contains(entries.count), "\(entries.count)")
        XCTAssertEqual(sink.events.map(\.code), [.storeSalvaged])
        let losses = try await store.statistics(.telemetry).losses
        XCTAssertEqual(losses[.corruption], 600 - entries.count)
    }

    func testAFileTornWithinAPageIsWalkedToItsEnd() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 120)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path()))
        let stream = StreamRow(number: 1, name: .telemetry)
        // What is missing of the last page reads as zeros, so its rows seem to have the key 0.
        for page in 1..<whole.count / Pages.size {
            let torn = folder.path("torn.sqlite")
            try whole.prefix(page * Pages.size + 100).write(to: URL(fileURLWithPath: torn))
            let source = try Connection(damaged: torn)
            for table in SalvageWalk.Table.allCases {
                var sequences: [Int64] = []
                _ = try SalvageWalk(source: source, table: table, stream: stream).run { found in
                    sequences.append(found.entry.sequence)
                    guard sequences.count <= 120 else { throw QueueStoreError(.corrupt) }
                }
                XCTAssertEqual(sequences, Set(sequences).sorted(), "page \(page)")
            }
        }
    }

    func testProcessesThatFindTheDamageAtOnceMendItOnce() async throws {
        for _ in 1...3 {
            let folder = try TemporaryFolder()
            try await fill(folder, count: 600)
            let leaves = try Pages.of("queued", in: folder.path()).leaves
            try Pages.overwrite(Array(leaves[10..<12]), in: folder.path())
            let probes = try (1...5).map { try Probe("fill", folder.path(), $0 * 10_000) }
            for probe in probes {
                let sequences = probe.lines().compactMap { Int($0) }
                XCTAssertEqual(sequences.count, 100)
            }
            XCTAssertEqual(
                try folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") },
                ["journal.sqlite", "journal.sqlite.damaged-1"]
            )
            let sink = Collector()
            let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
            let counts = try await store.statistics(.telemetry)
            let entries = try await store.entries(.telemetry, after: 0, limit: .max)
            let lost = try XCTUnwrap(counts.losses[.corruption])
            XCTAssertEqual(entries.count, 1100 - lost)
            XCTAssertEqual(counts.lastSequence, 1100)
            XCTAssertEqual(sink.events, [])
        }
    }

    func testWhoeverHasTheOldFileOpenDoesNotTouchTheNewOne() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 50)
        let holder = Holder(token: "other")
        var old: JournalFile? = try JournalFile(path: folder.path(), holder: holder, busyTimeout: .zero)
        _ = try old?.append([[.number(500)]], durability: .processDeath)
        // As another process does that has found it damaged.
        for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
            try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path("moved-" + name))
        }
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append([.number(1)], durability: .processDeath)
        XCTAssertThrowsError(try old?.append([[.number(501)]], durability: .processDeath)) {
            XCTAssert($0 is FileMoved)
        }
        old = nil
        XCTAssert(try folder.names.contains("journal.sqlite-wal"), "the new file's log is gone")
        _ = try await store.append([.number(2)], durability: .processDeath)
        await store.close()
        let again = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let count = try await again.statistics(.telemetry).queued
        XCTAssertEqual(count, 2)
    }

    func testALockedDamagedFileIsNotMoved() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 600)
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        try Pages.overwrite([leaves[10]], in: folder.path())
        let store = try SQLiteQueueStore(
            path: folder.path(),
            configuration: .init(busyTimeout: .milliseconds(20)),
            diagnostics: Collector()
        )
        let other = try Connection(path: folder.path())
        try other.run(.beginImmediate)
        await assertThrows(.busy) { try await store.entries(.telemetry, after: 0, limit: .max) }
        XCTAssertFalse(try folder.names.contains { $0.contains("damaged") || $0.contains("salvag") })
        try other.run(.commit)
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        XCTAssertGreaterThan(entries.count, 580)
    }

    // MARK: Crashes while a file is replaced

    func testACompleteNewFileIsPutInPlace() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 5)
        try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("journal.sqlite-salvaged"))
        try Data("the damaged file's".utf8).write(to: URL(fileURLWithPath: folder.path("journal.sqlite-wal")))
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let count = try await store.statistics(.telemetry).lastSequence
        XCTAssertEqual(count, 5)
        await store.close()
        XCTAssertEqual(
            try folder.names,
            ["journal.sqlite", "journal.sqlite.damaged-1", "journal.sqlite.damaged-1-wal"]
        )
    }

    func testAnUnfinishedNewFileIsStartedAnew() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 600)
        try Pages.overwrite([try Pages.of("queued", in: folder.path()).leaves[5]], in: folder.path())
        for name in ["journal.sqlite-salvaging", "journal.sqlite-salvaging-wal", "journal.sqlite-salvaged"] {
            try Data("half".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        XCTAssertGreaterThan(entries.count, 580)
        await store.close()
        XCTAssertEqual(try folder.names.filter { $0.contains("salvag") }, [])
    }
}
