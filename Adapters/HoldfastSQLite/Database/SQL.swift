/// Every statement that runs more than once, by name. Nothing newer than SQLite 3.36 (iOS 15), and nothing that
/// scans: the tests ask SQLite for the plan of each.
enum SQL: Int, CaseIterable {
    case begin, beginImmediate, commit, rollback
    case dataVersion, pageSize, pageCount, freePages

    case streams, addStream, updateStream, setRetry
    case addLoss, losses

    case queuedEntry, settledEntry, queuedHead, settledHead, oldestQueued
    case insertQueued, deleteQueued, settle, deleteSettled, setNotBefore
    case deliverable, queuedHeads, releaseHeld, removable

    case historyPlace, latestPlace, insertHistory, deleteHistory
    case identityKey, insertIdentity, deleteIdentity, newestIDs, anyIdentity

    case streamNames, restoreStream, settledHeads, salvageQueued, salvageSettled, values

    case currentLease, setLease, deleteLease

    case entriesInOrder, entriesSealedWith, resealQueued, resealSettled
    case eraseQueued, eraseSettled, eraseHistory, eraseIdentity

    case value, setValue, deleteValue

    /// What SQLite is given.
    var text: String {
        switch self {
        case .begin: return "BEGIN"
        case .beginImmediate: return "BEGIN IMMEDIATE"
        case .commit: return "COMMIT"
        case .rollback: return "ROLLBACK"
        case .dataVersion: return "PRAGMA data_version"
        case .pageSize: return "PRAGMA page_size"
        case .pageCount: return "PRAGMA page_count"
        case .freePages: return "PRAGMA freelist_count"

        case .streams:
            return """
                SELECT number, name, revision, last_sequence, indexed_through, queued, delivered, dead_lettered, live_bytes, \
                newest, peak, ascending_from, keys, retry, key_floor FROM stream ORDER BY number
                """
        case .addStream: return "INSERT INTO stream (name) VALUES (?1) RETURNING number"
        case .updateStream:
            return """
                UPDATE stream SET revision = ?2, last_sequence = ?3, indexed_through = ?4, queued = ?5, \
                delivered = ?6, dead_lettered = ?7, live_bytes = ?8, newest = ?9, peak = ?10, \
                ascending_from = ?11, keys = ?12, key_floor = ?13 WHERE number = ?1
                """
        case .setRetry: return "UPDATE stream SET retry = ?2 WHERE number = ?1"
        case .addLoss:
            return """
                INSERT INTO loss (stream, reason, count) VALUES (?1, ?2, ?3) ON CONFLICT (stream, reason) \
                DO UPDATE SET count = min(count, \(Int64.max) - excluded.count) + excluded.count
                """
        case .losses: return "SELECT reason, count FROM loss WHERE stream = ?1"

        case .queuedEntry: return "SELECT \(Self.queuedColumns) FROM queued WHERE key = ?1"
        case .settledEntry: return "SELECT \(Self.settledColumns) FROM settled WHERE key = ?1"
        case .queuedHead: return "SELECT \(Self.headColumns) FROM queued WHERE key = ?1"
        case .settledHead: return "SELECT \(Self.headColumns) FROM settled WHERE key = ?1"
        case .oldestQueued:
            return "SELECT recorded_at FROM queued WHERE key > ?1 AND key <= ?2 ORDER BY key LIMIT 1"

        case .insertQueued:
            return """
                INSERT INTO queued (key, id, recorded_at, key_id, subject, version, keep_until, sealed) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """
        case .deleteQueued: return "DELETE FROM queued WHERE key = ?1"
        case .settle:
            return """
                INSERT INTO settled (key, id, recorded_at, key_id, subject, version, keep_until, sealed, \
                stream, state, held, due, reason, note) \
                SELECT key, id, recorded_at, key_id, subject, version, keep_until, sealed, \
                ?2, ?3, keep_until IS NOT NULL, ifnull(keep_until, recorded_at), ?4, ?5 FROM queued WHERE key = ?1
                """
        case .deleteSettled: return "DELETE FROM settled WHERE key = ?1"
        case .setNotBefore: return "UPDATE queued SET not_before = ?2 WHERE key = ?1"
        case .deliverable:
            return """
                SELECT \(Self.draftColumns) FROM queued WHERE key > ?1 AND key <= ?2 \
                AND (not_before IS NULL OR not_before <= ?3 OR not_before > ?4) ORDER BY key
                """
        case .queuedHeads:
            return "SELECT \(Self.headColumns) FROM queued WHERE key > ?1 AND key <= ?2 ORDER BY key"
        case .releaseHeld:
            return """
                UPDATE settled SET held = 0, due = recorded_at WHERE key IN (SELECT key FROM settled \
                WHERE stream = ?1 AND state = ?2 AND held = 1 AND due <= ?3 LIMIT ?4)
                """
        case .removable:
            return """
                SELECT \(Self.headColumns) FROM settled WHERE stream = ?1 AND state = ?2 AND held = 0 AND due <= ?3 \
                AND (keep_until IS NULL OR keep_until <= ?4) LIMIT ?5
                """

        case .historyPlace: return "SELECT key FROM history WHERE subject = ?1 AND version = ?2"
        case .latestPlace: return "SELECT key FROM history WHERE subject = ?1 ORDER BY version DESC LIMIT 1"
        case .insertHistory:
            return "INSERT INTO history (subject, version, key) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"
        case .deleteHistory: return "DELETE FROM history WHERE subject = ?1 AND version = ?2"
        case .identityKey: return "SELECT key FROM identity WHERE id = ?1"
        case .deleteIdentity: return "DELETE FROM identity WHERE id = ?1"
        case .insertIdentity: return "INSERT OR REPLACE INTO identity (id, key) VALUES (?1, ?2)"
        case .newestIDs:
            return """
                SELECT id, key FROM queued WHERE key > ?1 AND key <= ?2 UNION ALL \
                SELECT id, key FROM settled WHERE key > ?1 AND key <= ?2
                """
        case .anyIdentity: return "SELECT 1 FROM identity LIMIT 1"

        case .streamNames:
            // From the index alone, which lies on another page than the rows.
            return "SELECT name, number FROM stream INDEXED BY sqlite_autoindex_stream_1 WHERE name >= ''"
        case .restoreStream: return "INSERT INTO stream (number, name) VALUES (?1, ?2)"
        case .settledHeads:
            return "SELECT \(Self.headColumns) FROM settled WHERE key > ?1 AND key <= ?2 ORDER BY key"
        case .salvageQueued:
            return """
                SELECT \(Self.queuedColumns), not_before FROM queued WHERE key > ?1 AND key <= ?2 ORDER BY key
                """
        case .salvageSettled:
            return """
                SELECT \(Self.settledColumns), NULL FROM settled WHERE key > ?1 AND key <= ?2 ORDER BY key
                """
        case .values: return "SELECT name, value FROM value"

        case .currentLease:
            return "SELECT id, granted, expires, process, started, runs FROM lease WHERE stream = ?1"
        case .setLease:
            return """
                INSERT OR REPLACE INTO lease (stream, id, granted, expires, process, started, runs) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """
        case .deleteLease: return "DELETE FROM lease WHERE stream = ?1"

        case .entriesInOrder:
            return """
                SELECT \(Self.queuedColumns) FROM queued WHERE key > ?1 AND key <= ?2 UNION ALL \
                SELECT \(Self.settledColumns) FROM settled WHERE key > ?1 AND key <= ?2 ORDER BY 1 LIMIT ?3
                """
        case .entriesSealedWith:
            return """
                SELECT \(Self.queuedColumns) FROM queued WHERE key > ?1 AND key <= ?2 AND key_id = ?4 UNION ALL \
                SELECT \(Self.settledColumns) FROM settled WHERE key > ?1 AND key <= ?2 AND key_id = ?4 \
                ORDER BY 1 LIMIT ?3
                """
        case .resealQueued: return "UPDATE queued SET key_id = ?2, sealed = ?3 WHERE key = ?1"
        case .resealSettled: return "UPDATE settled SET key_id = ?2, sealed = ?3, note = ?4 WHERE key = ?1"
        case .eraseQueued: return "DELETE FROM queued WHERE key > ?1 AND key <= ?2"
        case .eraseSettled: return "DELETE FROM settled WHERE key > ?1 AND key <= ?2"
        case .eraseHistory: return "DELETE FROM history WHERE key > ?1 AND key <= ?2"
        case .eraseIdentity: return "DELETE FROM identity WHERE key > ?1 AND key <= ?2"

        case .value: return "SELECT value FROM value WHERE name = ?1"
        case .setValue: return "INSERT OR REPLACE INTO value (name, value) VALUES (?1, ?2)"
        case .deleteValue: return "DELETE FROM value WHERE name = ?1"
        }
    }

    /// A whole entry, but for its state.
    static let draftColumns = "key, id, recorded_at, subject, version, key_id, sealed, keep_until"
    /// A whole entry.
    static let queuedColumns = draftColumns + ", 0, NULL, NULL"
    static let settledColumns = draftColumns + ", state, reason, note"
    /// All of an entry that counting and removing it takes.
    static let headColumns = "key, id, recorded_at, subject, version, key_id, length(sealed), keep_until"
}
