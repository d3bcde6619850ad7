import HoldfastDomain

/// The ids of each stream's newest entries, which are not in the `identity` table yet.
///
/// Ids are random, so each one put into a table changes a page of its own, and costs more than the entry itself.
/// As many as fit a full queue of usual events are therefore found here, in a few megabytes at most, and the oldest
/// go into the table only when there are more; most have been delivered and are gone by then. What is here is a
/// hint: an entry may have been removed by another process, so whoever finds one looks at the row.
struct NewestIDs {
    /// How many are kept here, which is what a dictionary of 131,072 places takes, and how many go into the table at a
    /// time.
    static let limit = 98_304
    static let indexedAtOnce: Int64 = 2048

    private var keys: [EntryID: EntryKey] = [:]
    /// Of which entries the ids are here, by stream.
    private var known: [Int64: (after: Int64, through: Int64)] = [:]
    /// Whether the table has any id: most often it has none, and need not be asked.
    private(set) var isTableUsed = false
    /// Whether other processes may have written since `refresh`.
    var isBehind = true

    var count: Int { keys.count }

    subscript(id: EntryID) -> EntryKey? { keys[id] }

    mutating func add(_ id: EntryID, _ key: EntryKey) { keys[id] = key }

    mutating func remove(_ id: EntryID) { keys[id] = nil }

    /// Notes that the ids of a stream up to its last entry are here.
    mutating func note(_ stream: StreamRow) { known[stream.number] = (stream.indexedThrough, stream.lastSequence) }

    /// Gives away the ids up to `sequence`, in the order the table has, with their keys.
    mutating func takeOldest(
        of stream: StreamRow,
        through sequence: Int64,
        from connection: Connection
    ) throws -> [(id: EntryID, key: EntryKey)] {
        var oldest: [(id: EntryID, key: EntryKey)] = []
        try Self.read(stream, after: stream.indexedThrough, through: sequence, from: connection) { id, key in
            oldest.append((id, key))
        }
        for (id, _) in oldest { keys[id] = nil }
        isTableUsed = true
        return oldest.sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }

    /// Drops what another process has added to the table.
    mutating func removeIndexed(of stream: StreamRow) {
        keys = keys.filter { $0.value.stream != stream.number || $0.value.sequence > stream.indexedThrough }
        isTableUsed = true
        note(stream)
    }

    /// Catches up with what other processes have appended and added to the table.
    mutating func refresh(_ streams: [StreamRow], from connection: Connection) throws {
        for stream in streams {
            if let earlier = known[stream.number], earlier.after != stream.indexedThrough {
                removeIndexed(of: stream)
            }
            let after = max(stream.indexedThrough, known[stream.number]?.through ?? 0)
            note(stream)
            try Self.read(stream, after: after, through: stream.lastSequence, from: connection) { keys[$0] = $1 }
        }
        isTableUsed = try connection.number(.anyIdentity) != 0
        isBehind = false
    }

    private static func read(
        _ stream: StreamRow,
        after: Int64,
        through: Int64,
        from connection: Connection,
        _ body: (EntryID, EntryKey) -> Void
    ) throws {
        guard after < through else { return }
        try connection.rows(
            .newestIDs,
            {
                $0.bind(stream.key(after).rawValue)
                $0.bind(stream.key(through).rawValue)
            },
            { row in
                body(try row.id(), try EntryKey(stored: try row.number()))
                return true
            }
        )
    }
}

// Finding and forgetting entries by id.
extension JournalFile {
    /// Where the entry of this id is; nil if there is none.
    func key(of id: EntryID) throws -> EntryKey? {
        if newestIDs.isBehind { try newestIDs.refresh(allStreams, from: connection) }
        if let key = newestIDs[id] {
            if try head(of: key)?.head.id == id { return key }
            newestIDs.remove(id)
        }
        guard newestIDs.isTableUsed else { return nil }
        return try connection.first(.identityKey, { $0.bind(id) }, { try EntryKey(stored: try $0.number()) })
    }

    /// The head of the entry at `key`, and in which table it is.
    func head(of key: EntryKey) throws -> (head: EntryHead, isQueued: Bool)? {
        if let head = try connection.first(.queuedHead, { $0.bind(key.rawValue) }, { try $0.head() }) {
            return (head, true)
        }
        return try connection.first(.settledHead, { $0.bind(key.rawValue) }, { try $0.head() }).map { ($0, false) }
    }

    /// Forgets the id and the place of an entry whose row is gone.
    func forget(_ head: EntryHead, of stream: StreamRow) throws {
        hasRemoved = true
        newestIDs.remove(head.id)
        if head.key.sequence <= stream.indexedThrough {
            try connection.run(.deleteIdentity) { $0.bind(head.id) }
        }
        guard let place = head.place else { return }
        try connection.run(.deleteHistory) {
            $0.bind(place.subject.bytes)
            $0.bind(place.version)
        }
    }

    /// Adds the oldest of the newest ids to the table.
    func indexOldestOfNewest() throws {
        if newestIDs.isBehind { try newestIDs.refresh(allStreams, from: connection) }
        guard var stream = allStreams.max(by: { $0.unindexed < $1.unindexed }), stream.unindexed > 0 else { return }
        let through = min(stream.lastSequence, stream.indexedThrough + NewestIDs.indexedAtOnce)
        for (id, key) in try newestIDs.takeOldest(of: stream, through: through, from: connection) {
            try connection.run(.insertIdentity) {
                $0.bind(id)
                $0.bind(key.rawValue)
            }
        }
        stream.indexedThrough = through
        update(stream)
        newestIDs.note(stream)
    }
}

extension StreamRow {
    /// How many sequences after `indexedThrough` have been given out.
    fileprivate var unindexed: Int64 { lastSequence - indexedThrough }
}
