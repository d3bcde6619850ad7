import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// What is told of the losses in a damaged file is never more than is lost, and as much as can be known.
final class LossCountTests: XCTestCase {
    private func draft(_ number: Int, bytes: Int = 400) -> Draft {
        .number(number, bytes: bytes, subject: UInt8(number % 250), version: Int64(number))
    }

    /// Appends in one transaction to a file of its own, and closes it: the stream's row does not count them yet.
    private func fill(_ folder: TemporaryFolder, _ drafts: [Draft]) async throws {
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append(drafts, durability: .processDeath)
        await store.close()
    }

    private struct Outcome {
        var found: [Entry]
        var told: Int?
        var counts: StreamStatistics
        var next: [AppendOutcome]
    }

    /// Opens a damaged file, reads it whole and appends one more entry.
    private func reopen(_ folder: TemporaryFolder, next: Int = 1_000_000) async throws -> Outcome {
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let found = try await store.entries(.telemetry, after: 0, limit: .max)
        let counts = try await store.statistics(.telemetry)
        let next = try await store.append([.number(next)], durability: .processDeath)
        await store.close()
        XCTAssertEqual(sink.events.map(\.code), [.storeSalvaged])
        return Outcome(found: found, told: sink.events.first?.count, counts: counts, next: next)
    }

    func testEntriesThatNoRowCountsYet() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...7).map { draft($0) })
        let pages = try Pages.of("queued", in: folder.path())
        try Pages.overwrite(pages.leaves + pages.inner, in: folder.path())
        let outcome = try await reopen(folder)
        XCTAssertEqual(outcome.found, [])
        XCTAssertEqual(outcome.told, 7)
        XCTAssertEqual(outcome.counts.losses, [.corruption: 7])
        XCTAssertEqual(outcome.next, [.appended(sequence: 8)], "no number is given out twice")
    }

    func testEntriesAfterThoseThatTheRowCounts() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        _ = try await store.append((1...200).map { draft($0) }, durability: .processDeath)
        try await store.recordLosses([.invalid: 1], of: .telemetry)
        let lease = try await store.lease(
            LeaseRequest(stream: .telemetry, maxCount: 1, now: Timestamp(milliseconds: 0), duration: .seconds(9))
        )
        try await store.settle(
            try XCTUnwrap(lease).id,
            of: .telemetry,
            outcomes: [.number(1): .delivered(keep: false)],
            retry: RetryState()
        )
        _ = try await store.append((201...300).map { draft($0) }, durability: .processDeath)
        await store.close()
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        try Pages.overwrite([leaves[3]] + leaves.suffix(4), in: folder.path())
        let outcome = try await reopen(folder)
        let lost = 299 - outcome.found.count
        XCTAssertGreaterThan(lost, 20)
        XCTAssertEqual(outcome.told, lost, "what was delivered and is gone is no loss")
        XCTAssertEqual(outcome.counts.losses, [.corruption: lost, .invalid: 1])
        XCTAssertEqual(outcome.next, [.appended(sequence: 301)])
    }

    func testTheRowIsLostToo() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...300).map { draft($0) })
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        let rows = try Pages.of("stream", in: folder.path()).leaves
        try Pages.overwrite(leaves.suffix(3) + [leaves[2]] + rows, in: folder.path())
        let outcome = try await reopen(folder)
        XCTAssertEqual(outcome.told, 300 - outcome.found.count, "the indexes still name them")
        XCTAssertEqual(outcome.next, [.appended(sequence: 301)])
    }

    func testNothingNamesThemButTheGapsBetweenTheOthers() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...600).map { .number($0) })
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        let rows = try Pages.of("stream", in: folder.path()).leaves
        try Pages.overwrite([leaves[10], leaves[20]] + rows, in: folder.path())
        let outcome = try await reopen(folder)
        XCTAssertGreaterThan(600 - outcome.found.count, 2)
        XCTAssertEqual(outcome.told, 2, "at least one on each")
    }

    func testNothingNamesTheLastOfThem() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...40).map { .number($0) })
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        try Pages.overwrite([try XCTUnwrap(leaves.last)], in: folder.path())
        let outcome = try await reopen(folder)
        XCTAssertLessThan(outcome.found.count, 40)
        XCTAssertEqual(outcome.told, 1, "at least one lay on it")
        XCTAssertEqual(outcome.counts.losses, [.corruption: 1])
    }

    func testAnotherStreamsPageIsNoLossOfThisOne() async throws {
        let folder = try TemporaryFolder()
        let events = (1...40).map { Draft.number($0) }
        let records = (101...140).map { Draft.number($0, in: .gate, subject: 1, version: Int64($0)) }
        try await fill(folder, events + records)
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        try Pages.overwrite(leaves.suffix(4), in: folder.path())
        let sink = Collector()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        let found = try await store.entries(.gate, after: 0, limit: .max).count
        let counts = (try await store.statistics(.telemetry), try await store.statistics(.gate))
        XCTAssertEqual(counts.0.queued, 40)
        XCTAssertEqual(counts.0.losses, [:])
        XCTAssertEqual(counts.1.losses, [.corruption: 40 - found])
        XCTAssertEqual(sink.events.map(\.count), [40 - found])
    }

    func testWhicheverPageIsDamagedNoMoreIsToldThanIsLost() async throws {
        let whole = try TemporaryFolder()
        let events = (1...150).map { Draft.number($0, bytes: $0 % 40 == 0 ? 9000 : 300) }
        let records = (201...350).map { number in
            Draft.number(
                number,
                in: .gate,
                subject: number % 3 == 0 ? nil : UInt8(number % 250),
                version: Int64(number)
            )
        }
        try await fill(whole, events + records)
        let store = try SQLiteQueueStore(path: whole.path(), diagnostics: Collector())
        let lease = try await store.lease(
            LeaseRequest(stream: .gate, maxCount: 40, now: Timestamp(milliseconds: 0), duration: .seconds(9))
        )
        let outcomes = lease.map { $0.entries.map { ($0.draft.id, EntryOutcome.delivered(keep: true)) } } ?? []
        try await store.settle(
            try XCTUnwrap(lease).id,
            of: .gate,
            outcomes: Dictionary(outcomes) { first, _ in first },
            retry: RetryState()
        )
        await store.close()
        var seen = 0
        for page in 1...(try whole.size() / Pages.size) {
            let folder = try TemporaryFolder()
            try FileManager.default.copyItem(atPath: whole.path(), toPath: folder.path())
            try Pages.overwrite([page], in: folder.path())
            let sink = Collector()
            let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
            var found = 0
            for stream in [StreamName.telemetry, .gate] {
                found += try await store.entries(stream, after: 0, limit: .max).count
            }
            await store.close()
            let told = sink.events.map(\.count).reduce(0, +)
            XCTAssertLessThanOrEqual(told, 300 - found, "page \(page)")
            // One whose last page of many is gone is told as one; that nothing is gone is never told then.
            XCTAssertEqual(told == 0, found == 300, "page \(page): \(300 - found) are lost, \(told) are told")
            seen += told
        }
        XCTAssertGreaterThan(seen, 250)
    }

    func testAPageInsideTheTree() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...6000).map { draft($0) })
        try Pages.overwrite([try Pages.of("queued", in: folder.path()).inner[1]], in: folder.path())
        let outcome = try await reopen(folder)
        XCTAssertEqual(outcome.told, 6000 - outcome.found.count)
        XCTAssertGreaterThan(outcome.told ?? 0, 0)
    }

    func testAPageThatARowRunsOver() async throws {
        let folder = try TemporaryFolder()
        var marked = draft(4)
        marked.sealed = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        try await fill(folder, (1...3).map { draft($0) } + [marked] + (5...9).map { draft($0) })
        let overflow = try Pages.holding(Array(marked.sealed[9000..<9040]), in: folder.path())
        try Pages.overwrite([overflow], in: folder.path())
        let outcome = try await reopen(folder)
        XCTAssertEqual(outcome.found.map(\.sequence), [1, 2, 3, 5, 6, 7, 8, 9])
        XCTAssertEqual(outcome.told, 1)
    }

    func testTheHeaderAlone() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...20).map { draft($0) })
        try Pages.overwrite([1], in: folder.path())
        let outcome = try await reopen(folder)
        XCTAssertEqual(outcome.found.count, 20)
        XCTAssertEqual(outcome.told, 0)
        XCTAssertNil(outcome.counts.losses[.corruption])
    }

    func testANoteInTheJournalKeepsTheSumOfAllDamage() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...300).map { draft($0) })
        var told = 0
        for page in [3, 5] {
            try Pages.overwrite([try Pages.of("queued", in: folder.path()).leaves[page]], in: folder.path())
            let outcome = try await reopen(folder, next: 1_000_000 + page)
            told += try XCTUnwrap(outcome.told)
            let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
            let note = try await store.value(named: JournalDamage.noteName(of: .telemetry))
            XCTAssertEqual(note.flatMap(JournalDamage.init), JournalDamage(atLeast: told))
            let other = try await store.value(named: JournalDamage.noteName(of: .gate))
            XCTAssertNil(other)
            await store.close()
        }
    }

    func testANoteTellsOfDamageThatNobodyCanCount() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...20).map { draft($0) })
        try Pages.overwrite([1], in: folder.path())
        _ = try await reopen(folder)
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let note = try await store.value(named: JournalDamage.noteName(of: .telemetry))
        XCTAssertEqual(note.flatMap(JournalDamage.init), JournalDamage(atLeast: 0))
    }

    func testAnIndexThatNamesWhatCannotBe() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (1...20).map { draft($0) })
        let connection = try Connection(path: folder.path())
        try connection.execute("UPDATE history SET key = key + 100000000 WHERE version = 7")
        try connection.execute("UPDATE queued SET id = x'00' WHERE key & 0xff = 7")
        let outcome = try await reopen(folder)
        XCTAssertEqual(outcome.found.count, 19)
        XCTAssertEqual(outcome.told, 1)
        XCTAssertEqual(outcome.next, [.appended(sequence: 21)])
    }
}
