import HoldfastDomain

/// The ids of each stream's newest entries, which are not in the `identity` table yet.
///
/// Ids are random, so each one put into a table of its own changes a page of its own: that costs three times what
/// the entry itself does. The newest few thousand are therefore found here, and added to the table together, in
/// order. Most have been delivered and are gone by then. What is here is only a hint: an entry may have been removed
/// by another process, so whoever finds one looks at the row.
struct NewestIDs {
    /// How many there may be before they are added to the table.
    static let limit: Int64 = 4096

    private var keys: [EntryID: EntryKey] = [:]
    private var known: [StreamName: ClosedRange<Int64>] = [:]

    subscript(id: EntryID) -> EntryKey? { keys[id] }

    mutating func add(_ id: EntryID, _ key: EntryKey, to stream: StreamRow) {
        keys[id] = key
        known[stream.name] = stream.indexedThrough...stream.lastSequence
    }

    mutating func remove(_ id: EntryID) { keys[id] = nil }

    /// Drops what has been added to the table, in this stream.
    mutating func removeIndexed(of stream: StreamRow) {
        keys = keys.filter { $0.value.stream != stream.number || $0.value.sequence > stream.indexedThrough }
        known[stream.name] = stream.indexedThrough...stream.lastSequence
    }

    /// Catches up with what other processes have appended and added to the table.
    mutating func refresh(_ streams: [StreamRow], from connection: Connection) throws {
        for stream in streams {
            let earlier = known[stream.name]
            if let earlier, earlier.lowerBound != stream.indexedThrough { removeIndexed(of: stream) }
            let after = max(stream.indexedThrough, earlier?.upperBound ?? 0)
            known[stream.name] = stream.indexedThrough...stream.lastSequence
            guard after < stream.lastSequence else { continue }
            try connection.rows(
                .newestIDs,
                {
                    $0.bind(stream.key(after).rawValue)
                    $0.bind(stream.key(stream.lastSequence).rawValue)
                },
                { row in
                    let id = try row.id()
                    keys[id] = try EntryKey(stored: try row.number())
                    return true
                }
            )
        }
    }
}

// Finding and forgetting entries by id.
extension JournalFile {
    /// Where the entry of this id is; nil if there is none.
    func key(of id: EntryID) throws -> EntryKey? {
        if let key = newestIDs[id] {
            if try head(of: key)?.head.id == id { return key }
            newestIDs.remove(id)
        }
        guard let key = try connection.first(.identityKey, { $0.bind(id) }, { try $0.number() }) else { return nil }
        return try EntryKey(stored: key)
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
        if head.key.sequence > stream.indexedThrough {
            newestIDs.remove(head.id)
        } else {
            try connection.run(.deleteIdentity) { $0.bind(head.id) }
        }
        guard let place = head.place else { return }
        try connection.run(.deleteHistory) {
            $0.bind(place.subject.bytes)
            $0.bind(place.version)
        }
    }

    /// Adds the newest ids to the table if they have become many.
    func indexNewestIDs() throws {
        for var stream in allStreams where stream.lastSequence - stream.indexedThrough >= NewestIDs.limit {
            try connection.run(.mergeIdentity) {
                $0.bind(stream.key(stream.indexedThrough).rawValue)
                $0.bind(stream.key(stream.lastSequence).rawValue)
            }
            stream.indexedThrough = stream.lastSequence
            update(stream)
            newestIDs.removeIndexed(of: stream)
        }
    }
}
