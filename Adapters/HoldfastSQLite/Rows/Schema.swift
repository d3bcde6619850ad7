import CHoldfastSQLite
import HoldfastDomain

/// The tables, and the steps by which a file of an earlier version reaches them.
///
/// - `queued` holds what waits for delivery and nothing else, so that the oldest deliverable entry is always near
///   the front; `settled` holds what is kept afterwards. An entry has the same key in either.
/// - `identity` finds an entry by its id; the newest entries are not in it yet (see `NewestIDs`).
/// - `history` finds a subject's entries.
/// - `stream` has one row a stream, with every count up to `last_sequence`, so that counting never scans; the few
///   entries after that are counted when the row is read (see `StreamRow`).
enum Schema {
    /// Marks a file as one of this package's: "HLDF".
    static let applicationID: Int64 = 0x484c_4446

    /// One step a version, only ever added to. SQL that SQLite 3.36 (iOS 15) accepts.
    static let steps = [
        """
        CREATE TABLE stream (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL DEFAULT 0,
            last_sequence INTEGER NOT NULL DEFAULT 0,
            indexed_through INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL DEFAULT 0,
            delivered INTEGER NOT NULL DEFAULT 0,
            dead_lettered INTEGER NOT NULL DEFAULT 0,
            live_bytes INTEGER NOT NULL DEFAULT 0,
            newest INTEGER,
            peak INTEGER,
            ascending_from INTEGER NOT NULL DEFAULT 0,
            keys BLOB NOT NULL DEFAULT x'',
            retry BLOB
        );
        CREATE TABLE queued (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            recorded_at INTEGER NOT NULL,
            key_id INTEGER NOT NULL,
            subject BLOB,
            version INTEGER,
            keep_until INTEGER,
            not_before INTEGER,
            sealed BLOB NOT NULL
        );
        CREATE TABLE settled (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            recorded_at INTEGER NOT NULL,
            key_id INTEGER NOT NULL,
            subject BLOB,
            version INTEGER,
            keep_until INTEGER,
            stream INTEGER NOT NULL,
            state INTEGER NOT NULL,
            held INTEGER NOT NULL,
            due INTEGER NOT NULL,
            reason TEXT,
            note BLOB,
            sealed BLOB NOT NULL
        );
        CREATE INDEX settled_due ON settled (stream, state, held, due);
        CREATE TABLE identity (id BLOB PRIMARY KEY, key INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE history (
            subject BLOB NOT NULL,
            version INTEGER NOT NULL,
            key INTEGER NOT NULL,
            PRIMARY KEY (subject, version)
        ) WITHOUT ROWID;
        CREATE TABLE lease (
            stream INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            granted INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            process INTEGER NOT NULL,
            started TEXT NOT NULL,
            sequences BLOB NOT NULL
        );
        CREATE TABLE loss (
            stream INTEGER NOT NULL,
            reason TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (stream, reason)
        ) WITHOUT ROWID;
        CREATE TABLE value (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        """,
        "ALTER TABLE stream ADD COLUMN key_floor INTEGER NOT NULL DEFAULT 1",
        // A lease that is left behind is ended: it named its entries one by one.
        "ALTER TABLE lease RENAME COLUMN sequences TO runs; DELETE FROM lease",
    ]

    /// Brings a file to the latest version; two processes may do so at once.
    ///
    /// - Throws: `.newerVersion` or `.notAJournal`, before anything is written.
    static func prepare(_ connection: Connection, steps: [String] = steps) throws {
        // In one snapshot: another process may be making the tables just now.
        let version = try connection.transaction(.begin) { try check(connection, steps: steps) }
        // Set before the first page is written, or never.
        if version == 0 { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        let mode = try connection.column("PRAGMA journal_mode = WAL") { try $0.text() }
        guard mode == ["wal"] else { throw QueueStoreError(.cannotOpen) }
        guard version < steps.count else { return }
        try connection.transaction(.beginImmediate) {
            // Another process may have done it since.
            let version = try check(connection, steps: steps)
            for step in steps[version...] { try connection.execute(step) }
            try connection.execute("PRAGMA application_id = \(applicationID)")
            try connection.execute("PRAGMA user_version = \(steps.count)")
        }
    }

    /// The version of a file: 0 for an empty one.
    private static func check(_ connection: Connection, steps: [String]) throws -> Int {
        let version = try number(connection, "PRAGMA user_version")
        let application = try number(connection, "PRAGMA application_id")
        if version == 0, application == 0 {
            guard try number(connection, "SELECT count(*) FROM sqlite_master") == 0 else {
                throw QueueStoreError(.notAJournal)
            }
            return 0
        }
        guard application == applicationID, version > 0 else { throw QueueStoreError(.notAJournal) }
        guard version <= steps.count else { throw QueueStoreError(.newerVersion) }
        return Int(version)
    }

    private static func number(_ connection: Connection, _ sql: String) throws -> Int64 {
        try connection.column(sql) { try $0.number() }.first ?? 0
    }
}
