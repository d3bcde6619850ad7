import CHoldfastSQLite
import HoldfastDomain

// Appending, and reading what was appended.
extension JournalFile {
    /// Appends the drafts of several calls in one transaction: each gets its own outcomes, or all get the error.
    func append(_ calls: [[Draft]], durability: Durability) throws -> [[AppendOutcome]] {
        try write(durability) {
            var batch = AppendBatch()
            let outcomes = try calls.map { try $0.map { try append($0, in: &batch) } }
            if let stream = batch.stream { appended(stream) }
            return outcomes
        }
    }

    /// The stream that the drafts before this one went to: looked up and stored once, not once a draft.
    private struct AppendBatch {
        var stream: StreamRow?
    }

    private func append(_ draft: Draft, in batch: inout AppendBatch) throws -> AppendOutcome {
        guard try key(of: draft.id) == nil else { return .duplicate }
        if batch.stream?.name != draft.stream {
            if let stream = batch.stream { appended(stream) }
            batch.stream = try makeStream(draft.stream)
        }
        if let floor = batch.stream?.keyFloor, draft.keyID < floor {
            // A taken place is not told otherwise for that.
            return try draft.place.flatMap(entry(at:)).map { .conflict(existing: $0) } ?? .keyRetired(floor: floor)
        }
        guard let key = batch.stream?.nextKey else { throw QueueStoreError(.full, platformCode: Int(SQLITE_FULL)) }
        if let place = draft.place, let existing = try take(place, for: key) { return .conflict(existing: existing) }
        batch.stream?.append(draft)
        try insert(draft, at: key)
        newestIDs.add(draft.id, key)
        return .appended(sequence: key.sequence)
    }

    func insert(_ draft: Draft, at key: EntryKey) throws {
        try draft.sealed.withUnsafeBytes { sealed in
            try connection.run(.insertQueued) { $0.bind(draft, key: key, sealed: sealed) }
        }
    }

    /// Gives a place to the entry of `key`, unless it is taken: then returns whose it is.
    private func take(_ place: SubjectVersion, for key: EntryKey) throws -> Entry? {
        try connection.run(.insertHistory) {
            $0.bind(place.subject.bytes)
            $0.bind(place.version)
            $0.bind(key.rawValue)
        }
        return connection.changedRows == 0 ? try entry(at: place) : nil
    }

    private func entry(at place: SubjectVersion) throws -> Entry? {
        let key = try connection.first(
            .historyPlace,
            {
                $0.bind(place.subject.bytes)
                $0.bind(place.version)
            },
            { try $0.number() }
        )
        return try key.map(entry(stored:))
    }

    /// The entry with the highest version of a subject.
    func latest(_ subject: Subject) throws -> Entry? {
        try read {
            let key = try connection.first(.latestPlace, { $0.bind(subject.bytes) }, { try $0.number() })
            return try key.map(entry(stored:))
        }
    }

    /// The entry that an index says is at `key`; damaged if it is not.
    private func entry(stored key: Int64) throws -> Entry {
        let key = try EntryKey(stored: key)
        guard let stream = allStreams.first(where: { $0.number == key.stream })?.name else {
            throw QueueStoreError.damagedValue
        }
        for table in [SQL.queuedEntry, .settledEntry] {
            if let entry = try connection.first(table, { $0.bind(key.rawValue) }, { try $0.entry(of: stream) }) {
                return entry
            }
        }
        throw QueueStoreError.damagedValue
    }
}
