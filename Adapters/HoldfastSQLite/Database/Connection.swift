import CHoldfastSQLite
import HoldfastDomain

/// One open database: the owner of SQLite's handle and of its prepared statements. Used by one thread at a time.
final class Connection {
    private let database: OpaquePointer
    private var statements = [Statement?](repeating: nil, count: SQL.allCases.count)
    private var synchronous: Durability?
    /// Where the write-ahead log's hook, which SQLite calls inside COMMIT, leaves the log's length in pages.
    private let logPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    /// Opens a file that is there, or makes it empty if it is not.
    init(path: String) throws {
        var handle: OpaquePointer?
        // One thread at a time uses it, so SQLite's own mutexes are not needed
        // (https://sqlite.org/threadsafe.html, "multi-thread").
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let extended = handle.map(sqlite3_extended_errcode) ?? code
            // Even a handle that failed to open must be closed.
            sqlite3_close_v2(handle)
            logPages.deallocate()
            throw QueueStoreError(sqlite: extended)
        }
        database = handle
        sqlite3_extended_result_codes(handle, 1)
        logPages.initialize(to: 0)
        // Checkpoints are made by `checkpoint`, off the path of whoever appends; the hook replaces SQLite's own.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            },
            logPages
        )
    }

    deinit {
        statements.removeAll()
        // Nothing can be left open: each statement is owned here, and no backup or blob handle is ever made.
        sqlite3_close_v2(database)
        logPages.deallocate()
    }

    /// Leaves the file and its log as they are when the connection closes.
    func leaveUntouched() { _ = holdfast_skip_checkpoint_on_close(database) }

    /// How long a call may wait for another process's lock.
    func waitForLocks(_ limit: Interval) {
        sqlite3_busy_timeout(database, Int32(clamping: limit.milliseconds))
    }

    /// Runs statements that take no arguments and whose rows do not matter.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw QueueStoreError(sqlite: code) }
    }

    /// Runs a statement whose rows, if any, do not matter.
    func run(_ sql: SQL, _ bind: (inout Bindings) -> Void = { _ in }) throws {
        try statement(sql).rows(bind) { _ in true }
    }

    /// Reads rows until `read` returns false.
    func rows(_ sql: SQL, _ bind: (inout Bindings) -> Void = { _ in }, _ read: (inout Row) throws -> Bool) throws {
        try statement(sql).rows(bind, read)
    }

    /// Reads the first row; nil if there is none.
    func first<Value>(
        _ sql: SQL,
        _ bind: (inout Bindings) -> Void = { _ in },
        _ read: (inout Row) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try statement(sql).rows(bind) { row in
            value = try read(&row)
            return false
        }
        return value
    }

    /// The number that a statement without arguments gives.
    func number(_ sql: SQL) throws -> Int64 {
        try first(sql, { _ in }, { try $0.number() }) ?? 0
    }

    /// What a query that runs only once gives: the first column, row by row.
    func column<Value>(_ sql: String, _ read: (inout Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try Statement(sql, in: database).rows({ _ in }) { row in
            values.append(try read(&row))
            return true
        }
        return values
    }

    /// Reads the rows of a query that runs only once, for as long as the file can be read.
    func eachReadable(_ sql: String, _ body: (inout Row) throws -> Void) throws {
        var failure: (any Error)?
        // What ends the reading early is the damage, or what `body` threw.
        try? Statement(sql, in: self.database).rows({ _ in }) { row in
            do { try body(&row) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
    }

    /// Runs `body` in a transaction that is committed, or undone if anything fails.
    func transaction<Value>(_ begin: SQL, _ body: () throws -> Value) throws -> Value {
        try run(begin)
        do {
            let value = try body()
            try run(.commit)
            return value
        } catch {
            // Some failures have ended the transaction already; then there is nothing to undo
            // (https://sqlite.org/lang_transaction.html, section 3). That of the rollback itself would hide the first.
            if sqlite3_get_autocommit(database) == 0 { try? run(.rollback) }
            throw error
        }
    }

    /// How many rows the last statement has inserted, changed or deleted, if it was one that does.
    var changedRows: Int32 { sqlite3_changes(database) }

    /// Makes the next commits survive what `durability` says. Only between transactions.
    func survive(_ durability: Durability) throws {
        guard synchronous != durability else { return }
        // Takes effect when it is prepared, so a cached statement would do nothing.
        try execute(durability == .powerLoss ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        synchronous = durability
    }

    /// How many pages the write-ahead log held after the last commit.
    var pagesInLog: Int { Int(logPages.pointee) }

    /// Copies the log into the file as far as no reader needs it; with `truncating`, also empties the log.
    func checkpoint(truncating: Bool = false) throws {
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(database, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw QueueStoreError(sqlite: code) }
        logPages.pointee = 0
    }

    /// Whether the path no longer leads to the file that is open.
    func hasMoved() throws -> Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard code == SQLITE_OK || code == SQLITE_NOTFOUND else { throw QueueStoreError(sqlite: code) }
        return moved != 0
    }

    /// The sizes of the file and of its write-ahead log in bytes.
    func fileSizes() throws -> (file: Int64, log: Int64) {
        var sizes: (file: Int64, log: Int64) = (0, 0)
        var code = holdfast_file_size(database, SQLITE_FCNTL_FILE_POINTER, &sizes.file)
        if code == SQLITE_OK { code = holdfast_file_size(database, SQLITE_FCNTL_JOURNAL_POINTER, &sizes.log) }
        guard code == SQLITE_OK else { throw QueueStoreError(sqlite: code) }
        return sizes
    }

    /// Whether nothing is left open: no transaction, no statement under way.
    var isIdle: Bool {
        var statement = sqlite3_next_stmt(database, nil)
        while let current = statement {
            if sqlite3_stmt_busy(current) != 0 { return false }
            statement = sqlite3_next_stmt(database, current)
        }
        return sqlite3_get_autocommit(database) != 0
    }

    private func statement(_ sql: SQL) throws -> Statement {
        if let statement = statements[sql.rawValue] { return statement }
        let statement = try Statement(sql.text, in: database)
        statements[sql.rawValue] = statement
        return statement
    }
}
