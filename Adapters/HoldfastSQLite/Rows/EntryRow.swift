import HoldfastDomain

/// How far an entry has come, as the `settled` table stores it.
enum StoredState: Int64 {
    case queued = 0
    case delivered = 1
    case deadLettered = 2
}

/// What counting and removing an entry takes.
struct EntryHead {
    var key: EntryKey
    var id: EntryID
    var recordedAt: Timestamp
    var place: SubjectVersion?
    var keyID: KeyID
    var byteCount: Int64
    var keepUntil: Timestamp?
}

extension EntryHead {
    init(_ draft: Draft, key: EntryKey) {
        self.key = key
        id = draft.id
        recordedAt = draft.recordedAt
        place = draft.place
        keyID = draft.keyID
        byteCount = Int64(draft.sealed.count)
        keepUntil = draft.keepUntil
    }
}

extension Row {
    /// An entry of `SQL.queuedColumns` or `SQL.settledColumns`, which belongs to `stream`.
    mutating func entry(of stream: StreamName) throws -> Entry {
        var entry = try queuedEntry(of: stream)
        let state = StoredState(rawValue: try number())
        let reason = try optionalText()
        let note = try optionalBytes()
        switch state {
        case .queued: break
        case .delivered: entry.state = .delivered
        case .deadLettered:
            guard let reason else { throw QueueStoreError.damagedValue }
            entry.state = .deadLettered(LossReason(reason), note: note)
        case nil: throw QueueStoreError.damagedValue
        }
        return entry
    }

    /// An entry of `SQL.draftColumns` in the queue of `stream`.
    mutating func queuedEntry(of stream: StreamName) throws -> Entry {
        let key = try key()
        let draft = Draft(
            id: try id(),
            stream: stream,
            recordedAt: try time(),
            place: try place(),
            keyID: try keyID(),
            sealed: try bytes(),
            keepUntil: try optionalTime()
        )
        return Entry(draft: draft, sequence: key.sequence)
    }

    /// The head of an entry, from `SQL.headColumns`.
    mutating func head() throws -> EntryHead {
        EntryHead(
            key: try key(),
            id: try id(),
            recordedAt: try time(),
            place: try place(),
            keyID: try keyID(),
            byteCount: try number(),
            keepUntil: try optionalTime()
        )
    }

    private mutating func key() throws -> EntryKey { try EntryKey(stored: try number()) }

    private mutating func time() throws -> Timestamp { Timestamp(milliseconds: try number()) }

    private mutating func optionalTime() throws -> Timestamp? {
        try optionalNumber().map { Timestamp(milliseconds: $0) }
    }

    private mutating func keyID() throws -> KeyID {
        guard let number = UInt32(exactly: try number()) else { throw QueueStoreError.damagedValue }
        return KeyID(number)
    }

    private mutating func place() throws -> SubjectVersion? {
        switch (try optionalBytes(), try optionalNumber()) {
        case (let subject?, let version?): return SubjectVersion(subject: Subject(bytes: subject), version: version)
        case (nil, nil): return nil
        default: throw QueueStoreError.damagedValue
        }
    }
}

extension Bindings {
    /// A draft as `SQL.insertQueued` takes it; its sealed bytes are borrowed.
    mutating func bind(_ draft: Draft, key: EntryKey, sealed: UnsafeRawBufferPointer) {
        bind(key.rawValue)
        bind(draft.id)
        bind(draft.recordedAt.milliseconds)
        bind(Int64(draft.keyID.rawValue))
        bind(draft.place?.subject.bytes)
        bind(draft.place?.version)
        bind(draft.keepUntil?.milliseconds)
        bind(borrowing: sealed)
    }
}
