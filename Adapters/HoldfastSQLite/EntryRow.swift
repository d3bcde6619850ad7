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
    var keyID: KeyID
    var place: SubjectVersion?
    var keepUntil: Timestamp?
    var byteCount: Int64
}

extension EntryHead {
    init(_ draft: Draft, key: EntryKey) {
        self.key = key
        id = draft.id
        recordedAt = draft.recordedAt
        keyID = draft.keyID
        place = draft.place
        keepUntil = draft.keepUntil
        byteCount = Int64(draft.sealed.count)
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
        let head = try columnsBeforeSealed()
        let draft = Draft(
            id: head.id,
            stream: stream,
            recordedAt: head.recordedAt,
            place: head.place,
            keyID: head.keyID,
            sealed: try bytes(),
            keepUntil: head.keepUntil
        )
        return Entry(draft: draft, sequence: head.key.sequence)
    }

    /// The head of an entry, from `SQL.headColumns`.
    mutating func head() throws -> EntryHead {
        var head = try columnsBeforeSealed()
        head.byteCount = try number()
        return head
    }

    private mutating func columnsBeforeSealed() throws -> EntryHead {
        let key = try EntryKey(stored: try number())
        let id = try id()
        let recordedAt = Timestamp(milliseconds: try number())
        guard let keyID = UInt32(exactly: try number()) else { throw QueueStoreError.damagedValue }
        let subject = try optionalBytes()
        let version = try optionalNumber()
        let keepUntil = try optionalNumber().map(Timestamp.init(milliseconds:))
        var place: SubjectVersion?
        switch (subject, version) {
        case (let subject?, let version?):
            place = SubjectVersion(subject: Subject(bytes: subject), version: version)
        case (nil, nil): break
        default: throw QueueStoreError.damagedValue
        }
        return EntryHead(
            key: key,
            id: id,
            recordedAt: recordedAt,
            keyID: KeyID(keyID),
            place: place,
            keepUntil: keepUntil,
            byteCount: 0
        )
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
