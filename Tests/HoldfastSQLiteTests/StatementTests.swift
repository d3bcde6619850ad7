import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// What SQLite makes of every statement.
final class StatementTests: XCTestCase {
    private func prepared(in folder: TemporaryFolder) throws -> Connection {
        let connection = try Connection(path: folder.path())
        try Schema.prepare(connection)
        return connection
    }

    func testNoStatementScansOrSorts() throws {
        let folder = try TemporaryFolder()
        let connection = try prepared(in: folder)
        // What reads a whole table on purpose: the few streams and values, whether a table is empty, and erasing,
        // which happens once and takes what it finds.
        let whole: Set<SQL> = [.streams, .values, .anyIdentity, .eraseHistory, .eraseIdentity]
        for sql in SQL.allCases where !whole.contains(sql) {
            for step in try connection.plan(of: sql.text) {
                XCTAssertFalse(step.hasPrefix("SCAN"), "\(sql): \(step)")
                XCTAssertFalse(step.contains("TEMP B-TREE"), "\(sql): \(step)")
            }
        }
    }

    func testPlansUseTheIndexesMadeForThem() throws {
        let folder = try TemporaryFolder()
        let connection = try prepared(in: folder)
        let expected: [(SQL, String)] = [
            (.deliverable, "SEARCH queued USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
            (.oldestQueued, "SEARCH queued USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
            (.historyPlace, "SEARCH history USING PRIMARY KEY (subject=? AND version=?)"),
            (.latestPlace, "SEARCH history USING PRIMARY KEY (subject=?)"),
            (.identityKey, "SEARCH identity USING PRIMARY KEY (id=?)"),
            (.removable, "SEARCH settled USING INDEX settled_due (stream=? AND state=? AND held=? AND due<?)"),
            (.currentLease, "SEARCH lease USING INTEGER PRIMARY KEY (rowid=?)"),
        ]
        for (sql, step) in expected { XCTAssertEqual(try connection.plan(of: sql.text), [step], "\(sql)") }
    }

    func testNothingNewerThanSQLite336IsUsed() {
        // 3.37 to 3.45, by the words they brought (https://sqlite.org/changes.html).
        let newer = [
            "STRICT", "->", "UNIXEPOCH", "RIGHT JOIN", "FULL JOIN", "IS DISTINCT", "IS NOT DISTINCT", "JSONB",
            "CONCAT(", "OCTET_LENGTH", "STRING_AGG", "TIMEDIFF", "UNHEX", "FILTER (WHERE",
        ]
        for text in SQL.allCases.map(\.text) + Schema.steps {
            for word in newer { XCTAssertFalse(text.uppercased().contains(word), "\(word) in \(text)") }
        }
    }

    /// Where it makes a difference, on Apple platforms, a plain fsync leaves data in the drive's own memory.
    func testWhatIsSyncedReachesTheMedium() throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        try keeper.perform(patiently: true) { file in
            for name in ["fullfsync", "checkpoint_fullfsync"] {
                XCTAssertEqual(try file.connection.column("PRAGMA \(name)") { try $0.number() }, [1], name)
            }
        }
    }

    func testNothingIsLeftOpenBetweenCalls() async throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        func assertIdle(_ what: String) throws {
            let isIdle = try keeper.perform(patiently: true) { $0.connection.isIdle }
            XCTAssert(isIdle, what)
        }
        try keeper.perform(patiently: true) { file in
            _ = try file.append([[.number(1, subject: 1), .number(2, subject: 1)]], durability: .powerLoss)
            XCTAssert(file.connection.isIdle)
            _ = try file.latest(Subject(bytes: [UInt8](repeating: 1, count: 32)))
            XCTAssert(file.connection.isIdle)
            let request = LeaseRequest(
                stream: .telemetry,
                maxCount: 1,
                now: Timestamp(milliseconds: 0),
                duration: .seconds(1)
            )
            _ = try file.lease(request)
            XCTAssert(file.connection.isIdle)
            _ = try file.statistics(.telemetry)
            XCTAssert(file.connection.isIdle)
        }
        try assertIdle("after calls")
        // A call that fails half-way leaves nothing behind either.
        XCTAssertThrowsError(
            try keeper.perform(patiently: true) { file in
                try file.write { try file.connection.rows(.streams) { _ in throw QueueStoreError(.full) } }
            }
        )
        try assertIdle("after an error")
    }

    /// A key is removed for good after this, so what was resealed before must not come back under it.
    func testRetiringKeysSyncsAllThatWasWrittenBefore() throws {
        let folder = try TemporaryFolder()
        let keeper = try JournalKeeper(path: folder.path(), configuration: .init(), diagnostics: Collector())
        try keeper.perform(patiently: true) { file in
            _ = try file.append([[.number(1, key: 1)]], durability: .processDeath)
            for _ in 0..<2 {
                _ = try file.reseal([Resealed(id: .number(1), oldKey: KeyID(1), newKey: KeyID(2), sealed: [1])])
                XCTAssertEqual(try file.connection.column("PRAGMA synchronous") { try $0.number() }, [1], "NORMAL")
                let pages = file.connection.pagesInLog
                // The second time the floor is there already, and yet something is to be written.
                _ = try file.retireKeys(of: .telemetry, below: KeyID(2))
                XCTAssertEqual(try file.connection.column("PRAGMA synchronous") { try $0.number() }, [2], "FULL")
                XCTAssertGreaterThan(file.connection.pagesInLog, pages)
            }
        }
    }

    func testOneThatFailsIsUndone() throws {
        let folder = try TemporaryFolder()
        let connection = try prepared(in: folder)
        XCTAssertThrowsError(
            try connection.transaction(.beginImmediate) {
                try connection.run(.restoreStream) {
                    $0.bind(1)
                    $0.bind("a")
                }
                try connection.run(.restoreStream) {
                    $0.bind(1)
                    $0.bind("b")
                }
            }
        ) { error in
            XCTAssertEqual((error as? QueueStoreError)?.code, .libraryFailure)
            XCTAssertEqual((error as? QueueStoreError)?.platformCode, 1555, "the extended code is lost")
        }
        XCTAssertEqual(try connection.column("SELECT count(*) FROM stream") { try $0.number() }, [0])
        XCTAssertThrowsError(try connection.execute("NONSENSE"))
        XCTAssertThrowsError(try connection.column("NONSENSE") { try $0.number() })
    }

    func testColumnsOfAnotherTypeAreDamage() throws {
        let folder = try TemporaryFolder()
        let connection = try prepared(in: folder)
        func assertDamage(_ sql: String, line: UInt = #line, _ read: (inout Row) throws -> some Any) {
            XCTAssertThrowsError(try connection.column(sql) { _ = try read(&$0) }, sql, line: line) { error in
                XCTAssertEqual((error as? QueueStoreError)?.code, .corrupt, line: line)
            }
        }
        for value in ["NULL", "'text'", "x'00'", "1.5"] { assertDamage("SELECT \(value)") { try $0.number() } }
        for value in ["NULL", "1", "'text'"] { assertDamage("SELECT \(value)") { try $0.bytes() } }
        for value in ["NULL", "1", "x'00'"] { assertDamage("SELECT \(value)") { try $0.text() } }
        for value in ["NULL", "1", "x'00'", "zeroblob(17)", "'0123456789abcdef'"] {
            assertDamage("SELECT \(value)") { try $0.id() }
        }
        assertDamage("SELECT 7") { try $0.optionalText() }
        assertDamage("SELECT 'a'") { try $0.optionalBytes() }
        XCTAssertEqual(try connection.column("SELECT x''") { try $0.bytes() }, [[]])
        XCTAssertEqual(try connection.column("SELECT NULL") { try $0.optionalBytes() }, [nil])
    }

    func testCodesAreToldApart() {
        let codes: [(Int32, QueueStoreError.Code)] = [
            (5, .busy), (6, .busy), (13, .full), (8, .readOnly), (10, .inputOutput), (14, .cannotOpen),
            (3, .cannotOpen),
            (11, .corrupt), (26, .corrupt), (1, .libraryFailure), (18, .libraryFailure), (7, .libraryFailure),
        ]
        for (number, code) in codes {
            XCTAssertEqual(QueueStoreError(sqlite: number).code, code)
            let extended = number | 7 << 8
            XCTAssertEqual(QueueStoreError(sqlite: extended), QueueStoreError(code, platformCode: Int(extended)))
        }
    }
}

extension Connection {
    /// The steps by which SQLite would run a statement.
    func plan(of sql: String) throws -> [String] {
        try column("EXPLAIN QUERY PLAN \(sql)") { row in
            _ = try (row.number(), row.number(), row.number())
            return try row.text()
        }
    }
}
