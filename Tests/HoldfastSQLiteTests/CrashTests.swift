import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// `kill -9` at any instruction, and several processes on one file.
final class CrashTests: XCTestCase {
    func testWhatWasAcknowledgedSurvivesTwoHundredKills() async throws {
        let folder = try TemporaryFolder()
        var acknowledged: Set<Int> = []
        var next = 1
        for round in 0..<200 {
            let probe = try Probe("append", folder.path(), next)
            // A different number of acknowledgements each time, and then wherever it happens to be.
            for _ in 0...(round * 7 % 11) {
                guard let number = probe.line().flatMap({ Int($0) }) else { return XCTFail("the probe failed") }
                acknowledged.insert(number)
            }
            probe.kill()
            // What it said before it died counts too.
            for line in probe.lines() { acknowledged.insert(try XCTUnwrap(Int(line))) }
            next = (acknowledged.max() ?? 0) + 1
        }
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        let counts = try await store.statistics(.telemetry)
        let ids = Set(entries.map(\.draft.id))
        XCTAssertEqual(acknowledged.filter { !ids.contains(.number($0)) }, [], "acknowledged, and gone")
        XCTAssertEqual(entries.map(\.sequence), Array(1...Int64(entries.count)), "numbers have holes")
        XCTAssertEqual(counts.queued, entries.count)
        XCTAssertEqual(counts.liveBytes, Int64(entries.count * 400))
        await store.close()
        let check = try Connection(path: folder.path()).column("PRAGMA integrity_check") { try $0.text() }
        XCTAssertEqual(check, ["ok"])
        XCTAssertEqual(try folder.names, ["journal.sqlite"])
    }

    func testEntriesOfAKilledSenderGoOutAgainAtOnce() async throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(try Probe("fill", folder.path(), 1).lines().count, 100)
        let sender = try Probe("lease", folder.path())
        XCTAssertEqual(sender.line(), "100")
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let request = LeaseRequest(
            stream: .telemetry,
            maxCount: 100,
            now: Timestamp(milliseconds: 1_790_000_000_000),
            duration: .minutes(1)
        )
        let beside = try await store.lease(request)
        XCTAssertNil(beside, "two processes have a lease")
        sender.kill()
        let after = try await store.lease(request)
        XCTAssertEqual(after?.entries.count, 100)
    }

    func testEightProcessesTakeOnePlaceOnce() async throws {
        let folder = try TemporaryFolder()
        let probes = try (1...8).map { try Probe("place", folder.path(), $0) }
        let answers = probes.flatMap { $0.lines() }
        XCTAssertEqual(answers.filter { $0 == "won" }.count, 1, "\(answers)")
        XCTAssertEqual(answers.filter { $0 == "lost" }.count, 7, "\(answers)")
    }

    func testProcessesThatAppendAtOnceShareTheNumbers() async throws {
        let folder = try TemporaryFolder()
        let probes = try (0..<4).map { try Probe("fill", folder.path(), 1 + $0 * 100) }
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        for number in 1000..<1100 {
            _ = try await store.append([.number(number)], durability: .processDeath)
        }
        for probe in probes { XCTAssertEqual(probe.lines().count, 100) }
        let counts = try await store.statistics(.telemetry)
        XCTAssertEqual(counts.queued, 500)
        XCTAssertEqual(counts.lastSequence, 500)
        let entries = try await store.entries(.telemetry, after: 0, limit: .max)
        XCTAssertEqual(entries.map(\.sequence), Array(1...500))
        let twice = try await store.append([.number(1), .number(250), .number(1001)], durability: .processDeath)
        XCTAssertEqual(twice, [.duplicate, .duplicate, .duplicate])
    }

    func testProcessesThatOpenANewFileAtOnceMakeItOnce() throws {
        for _ in 1...5 {
            let folder = try TemporaryFolder()
            let probes = try (1...6).map { _ in try Probe("open", folder.path()) }
            XCTAssertEqual(probes.flatMap { $0.lines() }, Array(repeating: "open", count: 6))
        }
    }
}
