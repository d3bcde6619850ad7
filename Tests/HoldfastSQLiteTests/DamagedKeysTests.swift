import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// What becomes of the key floor in damaged files, and of files from before there was one.
final class DamagedKeysTests: XCTestCase {
    func testARetiredKeySealsNothingInTheNewFileEither() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, count: 600)
        let leaves = try Pages.of("queued", in: folder.path()).leaves
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        let needed = try await store.retireKeys(of: .telemetry, below: KeyID(5))
        XCTAssertEqual(needed, [KeyID(1)])
        await store.close()
        try Pages.overwrite(Array(leaves[20..<22]), in: folder.path())
        let sink = Collector()
        let reopened = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
        _ = try await reopened.entries(.telemetry, after: 0, limit: .max)
        XCTAssertEqual(sink.events.map(\.code), [.storeSalvaged])
        let outcome = try await reopened.append([.number(1000, key: 4)], durability: .processDeath)
        XCTAssertEqual(outcome, [.keyRetired(floor: KeyID(5))])
    }

    func testADamagedFileOfTheFirstVersionIsSalvagedAsAnyOther() async throws {
        for page in [nil, 1] as [Int?] {
            let folder = try TemporaryFolder()
            try await fill(folder, count: 600)
            do {
                let connection = try Connection(path: folder.path())
                try connection.execute("ALTER TABLE stream DROP COLUMN key_floor")
                try connection.execute("ALTER TABLE lease RENAME COLUMN runs TO sequences; PRAGMA user_version = 1")
                try connection.checkpoint(truncating: true)
            }
            let leaf = try Pages.of("queued", in: folder.path()).leaves[20]
            try Pages.overwrite([page ?? leaf], in: folder.path())
            let sink = Collector()
            let store = try SQLiteQueueStore(path: folder.path(), diagnostics: sink)
            let entries = try await store.entries(.telemetry, after: 0, limit: .max)
            XCTAssertEqual(sink.events.map(\.code), [.storeSalvaged])
            XCTAssertGreaterThan(entries.count, page == nil ? 560 : 599)
            try await assertCarriedOver(store, entries)
            let floor = try await store.statistics(.telemetry).keyFloor
            XCTAssertEqual(floor, KeyID(1))
        }
    }
}
