import HoldfastDomain

/// Before which sequence no entry of a stream is sealed with a key: re-sealing works through a stream from the
/// front, and would otherwise look again at all it has done at each step.
struct ResealingPlaces {
    private struct Place: Hashable {
        var stream: StreamName
        var key: KeyID
    }

    private var firsts: [Place: Int64] = [:]

    func before(_ stream: StreamName, _ key: KeyID) -> Int64 {
        max(0, firsts[Place(stream: stream, key: key), default: 1] - 1)
    }

    mutating func note(_ stream: StreamName, _ key: KeyID, first: Int64) {
        firsts[Place(stream: stream, key: key)] = first
    }

    /// An entry is sealed with `key` that was not before.
    mutating func add(_ stream: StreamName, _ key: KeyID) {
        firsts[Place(stream: stream, key: key)] = nil
    }
}

extension JournalFile {
    /// Entries of a stream in any state, in order of sequence.
    func entries(_ name: StreamName, after sequence: Int64, limit: Int) throws -> [Entry] {
        try read {
            guard limit > 0, let stream = stream(name) else { return [] }
            var entries: [Entry] = []
            try connection.rows(
                .entriesInOrder,
                {
                    $0.bind(stream.key(sequence).rawValue)
                    $0.bind(stream.bounds.through.rawValue)
                    $0.bind(Int64(limit))
                },
                { row in
                    let entry = try row.entry(of: name)
                    // A damaged page can give any key; whoever reads page by page must not be sent back.
                    guard entry.sequence > entries.last?.sequence ?? sequence else {
                        throw QueueStoreError.damagedValue
                    }
                    entries.append(entry)
                    return true
                }
            )
            return entries
        }
    }

    /// Entries of a stream sealed with `key`, in order of sequence.
    func entries(_ name: StreamName, sealedWith key: KeyID, limit: Int) throws -> [Entry] {
        try read {
            guard limit > 0, let stream = stream(name), stream.keys.pairs.contains(where: { $0.key == key }) else {
                return []
            }
            var entries: [Entry] = []
            try connection.rows(
                .entriesSealedWith,
                {
                    $0.bind(stream.key(resealing.before(name, key)).rawValue)
                    $0.bind(stream.bounds.through.rawValue)
                    $0.bind(Int64(limit))
                    $0.bind(Int64(key.rawValue))
                },
                { row in
                    entries.append(try row.entry(of: name))
                    return true
                }
            )
            resealing.note(name, key, first: entries.first?.sequence ?? stream.lastSequence + 1)
            return entries
        }
    }

    /// Replaces sealed bytes of entries that are still sealed with their old key.
    func reseal(_ entries: [Resealed]) throws -> Int {
        try write {
            try entries.reduce(0) { count, new in
                guard let key = try key(of: new.id),
                    var stream = allStreams.first(where: { $0.number == key.stream }),
                    let (head, isQueued) = try head(of: key), head.keyID == new.oldKey, new.newKey >= stream.keyFloor
                else { return count }
                if isQueued {
                    try connection.run(.resealQueued) {
                        $0.bind(key.rawValue)
                        $0.bind(Int64(new.newKey.rawValue))
                        $0.bind(new.sealed)
                    }
                } else {
                    // Under the new key's number an old note could not be opened: the next pass takes them together.
                    let entry = try connection.first(.settledEntry, { $0.bind(key.rawValue) }) { row in
                        try row.entry(of: stream.name)
                    }
                    var note: [UInt8]?
                    if case .deadLettered(_, .some) = entry?.state {
                        guard let newNote = new.note else { return count }
                        note = newNote
                    }
                    try connection.run(.resealSettled) {
                        $0.bind(key.rawValue)
                        $0.bind(Int64(new.newKey.rawValue))
                        $0.bind(new.sealed)
                        $0.bind(note)
                    }
                }
                stream.reseal(head, with: new.newKey, byteCount: isQueued ? Int64(new.sealed.count) : nil)
                resealing.add(stream.name, new.newKey)
                update(stream)
                return count + 1
            }
        }
    }

    /// Raises a stream's key floor, and tells the keys below it that entries still need.
    func retireKeys(of name: StreamName, below floor: KeyID) throws -> Set<KeyID> {
        // With the power loss that this commit survives, so does everything before it: entries that were resealed do
        // not go back under a key that is removed next. So it is written even if the floor stays as it is.
        try write(.powerLoss) {
            var stream = try makeStream(name)
            stream.retireKeys(below: floor)
            update(stream)
            return Set(stream.keys.pairs.lazy.map(\.key).filter { $0 < floor })
        }
    }

    /// Removes every entry of a stream, leased or not.
    func erase(_ name: StreamName, reason: LossReason) throws -> Int {
        try write {
            guard var stream = stream(name) else { return 0 }
            let (queued, settled) = (stream.queued, stream.delivered.addingSaturated(stream.deadLettered))
            for table in [SQL.eraseQueued, .eraseSettled, .eraseHistory, .eraseIdentity] {
                try connection.run(table) {
                    $0.bind(stream.bounds.after.rawValue)
                    $0.bind(stream.bounds.through.rawValue)
                }
            }
            try connection.run(.deleteLease) { $0.bind(stream.number) }
            try addLosses([reason: Int(clamping: queued)], to: stream)
            stream.removeAll()
            update(stream)
            newestIDs.removeIndexed(of: stream)
            hasRemoved = true
            return Int(clamping: queued.addingSaturated(settled))
        }
    }
}
