import HoldfastDomain
import HoldfastSQLite
import XCTest

// A journal to be damaged, and what is to be left of it.
extension XCTestCase {
    /// Entries in every state, with places, a ledger, a value and a retry state; then closed.
    func fill(_ folder: TemporaryFolder, count: Int) async throws {
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let drafts = (1...count).map {
            Draft.number(
                $0,
                subject: UInt8(truncatingIfNeeded: $0),
                version: Int64($0),
                keepUntil: Timestamp(milliseconds: 7)
            )
        }
        _ = try await store.append(drafts, durability: .processDeath)
        let lease = try await store.lease(
            LeaseRequest(stream: .telemetry, maxCount: 3, now: Timestamp(milliseconds: 0), duration: .seconds(60))
        )
        let id = try XCTUnwrap(lease?.id)
        try await store.settle(
            id,
            of: .telemetry,
            outcomes: [
                .number(1): .delivered(keep: true), .number(2): .deadLettered(.rejected, note: [9]),
                .number(3): .retry(notBefore: Timestamp(milliseconds: 5)),
            ],
            retry: RetryState(failures: 2)
        )
        try await store.recordLosses([.invalid: 4], of: .telemetry)
        try await store.setValue([1, 2, 3], named: "a")
        await store.close()
    }

    func assertCarriedOver(_ store: SQLiteQueueStore, _ entries: [Entry], line: UInt = #line) async throws {
        let counts = try await store.statistics(.telemetry)
        XCTAssertEqual(counts.losses[.invalid], 4, line: line)
        XCTAssertEqual(counts.losses[.rejected], 1, line: line)
        XCTAssertEqual(counts.retry, RetryState(failures: 2), line: line)
        let value = try await store.value(named: "a")
        XCTAssertEqual(value, [1, 2, 3], line: line)
        XCTAssertEqual(entries[0].state, .delivered, line: line)
        XCTAssertEqual(entries[1].state, .deadLettered(.rejected, note: [9]), line: line)
        XCTAssertEqual(entries.map(\.sequence), entries.map(\.sequence).sorted(), line: line)
        for entry in entries {
            let number = Int(entry.sequence)
            let draft = Draft.number(
                number,
                subject: UInt8(truncatingIfNeeded: number),
                version: Int64(number),
                keepUntil: Timestamp(milliseconds: 7)
            )
            XCTAssertEqual(entry.draft, draft, line: line)
        }
        let early = try await store.lease(
            LeaseRequest(stream: .telemetry, maxCount: 1, now: Timestamp(milliseconds: 4), duration: .seconds(1))
        )
        XCTAssertEqual(early?.entries.map(\.sequence), [4], "a retry time was forgotten", line: line)
    }
}
