import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// Commits after damage in the log of a killed process are read nevertheless, and the damage is reported.
final class CutOffLogTests: XCTestCase {
    private struct Outcome {
        let folder: TemporaryFolder
        let store: SQLiteQueueStore
        let events: [DiagnosticEvent]
        let entries: [Entry]
        let counts: StreamStatistics

        init(_ crashed: CrashedJournal) async throws {
            folder = try crashed.write()
            let sink = Collector()
            store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
            events = sink.events
            entries = try await store.entries(.telemetry, after: 0, limit: .max)
            counts = try await store.statistics(.telemetry)
        }
    }

    /// The loss is reported with the right number, every entry found is whole, and the damaged files are kept.
    private func assertTold(
        _ outcome: Outcome,
        lost: ClosedRange<Int>,
        of appends: Int,
        _ crashed: CrashedJournal,
        _ message: String = "",
        line: UInt = #line
    ) async throws {
        let missing = appends - outcome.entries.count
        XCTAssert(lost.contains(missing), "\(missing) are lost, \(message)", line: line)
        XCTAssertEqual(outcome.events.map(\.code), [.storeSalvaged], message, line: line)
        XCTAssertEqual(outcome.events.map(\.count), [missing], message, line: line)
        XCTAssertEqual(outcome.counts.losses, missing > 0 ? [.corruption: missing] : [:], message, line: line)
        for entry in outcome.entries {
            XCTAssertEqual(entry.draft, CrashedJournal.draft(Int(entry.sequence)), message, line: line)
        }
        for (side, bytes) in [("", crashed.file), ("-wal", Data(crashed.log))] {
            let aside = URL(fileURLWithPath: outcome.folder.path("journal.sqlite.damaged-1\(side)"))
            XCTAssertEqual(try Data(contentsOf: aside), bytes, message, line: line)
        }
        let others = try outcome.folder.names.filter { $0.contains("salvag") || $0.contains("graft") }
        XCTAssertEqual(others, [], message, line: line)
        // Every place is still taken, and no number is given out twice.
        let again = outcome.entries.map { entry in
            Draft.number(1000 + Int(entry.sequence), subject: UInt8(entry.sequence), version: entry.sequence)
        }
        let taken = try await outcome.store.append(again + [.number(5000)], durability: .processDeath)
        let expected = outcome.entries.map { AppendOutcome.conflict(existing: $0) }
        XCTAssertEqual(taken, expected + [.appended(sequence: Int64(appends) + 1)], message, line: line)
        await outcome.store.close()
    }

    func testABitInAnyFrameLosesNoEntryBehindIt() async throws {
        let crashed = try await CrashedJournal.after(50)
        for frame in stride(from: 0, through: crashed.commits[crashed.commits.count - 2], by: 6) {
            var damaged = crashed
            damaged.flip(frame: frame)
            let outcome = try await Outcome(damaged)
            try await assertTold(outcome, lost: 0...9, of: 50, damaged, "frame \(frame)")
        }
    }

    func testABitInTheHeaderLosesNothing() async throws {
        var damaged = try await CrashedJournal.after(50)
        damaged.flip(at: 13)
        try await assertTold(try await Outcome(damaged), lost: 0...0, of: 50, damaged)
    }

    func testPagesThatAreGoneAreCounted() async throws {
        let crashed = try await CrashedJournal.after(50)
        let commits = crashed.commits
        // All that the log has of the pages in the middle.
        let pages = Set((commits[20]...commits[30]).map(crashed.page)).filter { $0 > 12 }
        var damaged = crashed
        for frame in 0..<crashed.frames where pages.contains(crashed.page(frame)) { damaged.zero(frame: frame) }
        try await assertTold(try await Outcome(damaged), lost: 1...40, of: 50, damaged)
    }

    /// The frames are in the file already, and SQLite would read old pages from before the damage instead of new ones.
    func testALogThatHasBeenCopiedIntoTheFile() async throws {
        let crashed = try await CrashedJournal.after(200, checkpointed: 200)
        XCTAssertGreaterThan(crashed.file.count, 20 * Pages.size)
        for commit in [3, 50, 100, 150, 190] {
            var damaged = crashed
            damaged.flip(frame: crashed.commits[commit])
            try await assertTold(try await Outcome(damaged), lost: 0...0, of: 200, damaged, "commit \(commit)")
        }
    }

    /// Without a header SQLite reads the file alone, which has everything. Of the log's pages some are gone.
    func testAFileThatHasMoreThanItsDamagedLog() async throws {
        let crashed = try await CrashedJournal.after(200, checkpointed: 200)
        let streams = (0..<crashed.frames).filter { crashed.page($0) == 3 }
        XCTAssertEqual(streams.count, 2, "without entries, and with the first")
        for gone in [[streams[1]], Array(100..<105)] {
            var damaged = crashed
            damaged.flip(at: 24)
            gone.forEach { damaged.zero(frame: $0) }
            try await assertTold(try await Outcome(damaged), lost: 0...0, of: 200, damaged, "\(gone)")
        }
    }

    func testASoundLogOpensAsEver() async throws {
        for (appends, checkpointed) in [(1, 0), (50, 0), (50, 49), (50, 50), (50, 20)] {
            let crashed = try await CrashedJournal.after(appends, checkpointed: checkpointed)
            for extra in [0, 1, 24, 2000] {
                var torn = crashed
                torn.log += crashed.log.suffix(CrashedJournal.frameSize).prefix(extra)
                let outcome = try await Outcome(torn)
                XCTAssertEqual(outcome.events, [])
                XCTAssertEqual(outcome.entries.count, appends)
                XCTAssertFalse(try outcome.folder.names.contains { $0.contains("damaged") })
            }
        }
    }

    func testWhoeverIsNotTheFirstGoesByWhatIsOpen() async throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(try Probe("fill", folder.path(), 1).lines().count, 100)
        let holder = try Probe("lease", folder.path())
        XCTAssertEqual(holder.line(), "100")
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        for number in 101...150 { _ = try await store.append([.number(number)], durability: .processDeath) }
        await store.close()
        var crashed = try CrashedJournal(of: folder.path())
        // Its page is as it was.
        crashed.flip(at: CrashedJournal.offset(crashed.commits[20]) + 16)
        try Data(crashed.log).write(to: URL(fileURLWithPath: folder.path("journal.sqlite-wal")))
        XCTAssertTrue(crashed.walk().isCutOff)
        let sink = Collector()
        let beside = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let count = try await beside.statistics(.telemetry).queued
        XCTAssertEqual(count, 150)
        XCTAssertEqual(sink.events, [])
        await beside.close()
        holder.kill()
        let after = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let found = try await after.statistics(.telemetry).queued
        XCTAssertEqual(found, 150)
        XCTAssertEqual(sink.events.map(\.code), [.storeSalvaged])
    }
}
