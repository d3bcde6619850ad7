import HoldfastDomain

/// One stream's row: every count that `statistics` tells.
///
/// Appending does not store it each time, as that would write a second page for each entry: entries after
/// `storedThrough` are all still queued, and whoever reads the row counts them. Everything else stores it.
struct StreamRow {
    /// How many entries there may be that the stored row does not count.
    static let uncountedLimit: Int64 = 1024

    let number: Int64
    let name: StreamName
    /// Told apart from the row of before whenever it is stored.
    private(set) var revision: Int64 = 0
    private(set) var storedThrough: Int64 = 0
    private(set) var lastSequence: Int64 = 0
    /// Whether it was read from a file, with its counts.
    private(set) var isStored = false
    /// Up to this sequence the entries' ids are in the `identity` table; later ones are among the `NewestIDs`.
    var indexedThrough: Int64 = 0
    private(set) var queued: Int64 = 0
    private(set) var delivered: Int64 = 0
    private(set) var deadLettered: Int64 = 0
    private(set) var liveBytes: Int64 = 0
    private(set) var newest: Int64?
    private var order = TimeOrder()
    private(set) var keys = KeyCounts()
    /// Nothing is sealed with a lower key any more.
    private(set) var keyFloor = KeyID(1)
    var retry: [UInt8]?

    init(number: Int64, name: StreamName) {
        self.number = number
        self.name = name
    }

    /// All keys of this stream lie after the first and up to the second.
    var bounds: (after: EntryKey, through: EntryKey) {
        (key(0), key(EntryKey.largestSequence))
    }

    func key(_ sequence: Int64) -> EntryKey { EntryKey(stream: number, sequence: sequence) }

    /// The key of the next entry; nil when the stream has used up its numbers.
    var nextKey: EntryKey? { lastSequence < EntryKey.largestSequence ? key(lastSequence + 1) : nil }

    /// Counts a new entry, under `nextKey`.
    mutating func append(_ draft: Draft) {
        count(lastSequence + 1, draft.recordedAt, Int64(draft.sealed.count), draft.keyID)
    }

    /// Counts an entry that the stored row does not.
    mutating func count(_ head: EntryHead) {
        guard head.key.sequence > lastSequence else { return }
        count(head.key.sequence, head.recordedAt, head.byteCount, head.keyID)
    }

    private mutating func count(_ sequence: Int64, _ time: Timestamp, _ byteCount: Int64, _ key: KeyID) {
        lastSequence = sequence
        queued += 1
        liveBytes = liveBytes.addingSaturated(byteCount)
        newest = max(newest ?? .min, time.milliseconds)
        order.append(time, sequence: sequence)
        keys.add(1, of: key)
    }

    /// Counts an entry out of a damaged file, which may come in any order.
    mutating func restore(_ head: EntryHead) {
        let last = max(lastSequence, head.key.sequence)
        count(head.key.sequence, head.recordedAt, head.byteCount, head.keyID)
        lastSequence = last
    }

    /// Takes over what an earlier row of this stream says of entries that are gone, so that no number is given out
    /// twice and no retired key seals again.
    mutating func resume(after earlier: StreamRow) {
        lastSequence = max(lastSequence, earlier.lastSequence)
        newest = [newest, earlier.newest].compactMap { $0 }.max()
        retireKeys(below: earlier.keyFloor)
        indexedThrough = lastSequence
    }

    /// Gives out no number up to `sequence` again.
    mutating func skip(through sequence: Int64) {
        lastSequence = max(lastSequence, min(sequence, EntryKey.largestSequence))
        indexedThrough = lastSequence
    }

    /// Whether so many entries are not in the stored row that it should be stored.
    var isBehind: Bool { lastSequence - storedThrough >= Self.uncountedLimit }

    /// Prepares the row for being stored.
    mutating func revise() {
        revision &+= 1
        storedThrough = lastSequence
    }

    /// Counts a queued entry as settled and kept.
    mutating func settle(_ head: EntryHead, as state: StoredState) {
        leaveQueue(head)
        add(1, to: state)
    }

    /// Counts a queued entry as gone.
    mutating func removeQueued(_ head: EntryHead) {
        leaveQueue(head)
        keys.add(-1, of: head.keyID)
    }

    /// Counts a settled entry as gone.
    mutating func removeSettled(_ head: EntryHead, from state: StoredState) {
        add(-1, to: state)
        keys.add(-1, of: head.keyID)
    }

    /// Counts an entry as sealed anew.
    mutating func reseal(_ head: EntryHead, with key: KeyID, byteCount: Int64?) {
        keys.add(-1, of: head.keyID)
        keys.add(1, of: key)
        guard let byteCount else { return }
        liveBytes = max(0, liveBytes.subtractingSaturated(head.byteCount).addingSaturated(byteCount))
    }

    /// From now on nothing is sealed with a key below `floor`.
    mutating func retireKeys(below floor: KeyID) { keyFloor = max(keyFloor, floor) }

    /// Counts every entry as gone.
    mutating func removeAll() {
        (queued, delivered, deadLettered, liveBytes) = (0, 0, 0, 0)
        keys = KeyCounts()
        indexedThrough = lastSequence
    }

    /// Whether every entry behind this one is younger than `age` too.
    func isYoungFromHere(_ head: EntryHead, age: Interval, now: Timestamp) -> Bool {
        order.isYoungFromHere(head.recordedAt, sequence: head.key.sequence, age: age, now: now)
    }

    private mutating func leaveQueue(_ head: EntryHead) {
        queued = max(0, queued - 1)
        liveBytes = max(0, liveBytes.subtractingSaturated(head.byteCount))
    }

    private mutating func add(_ count: Int64, to state: StoredState) {
        switch state {
        case .queued: queued = max(0, queued + count)
        case .delivered: delivered = max(0, delivered + count)
        case .deadLettered: deadLettered = max(0, deadLettered + count)
        }
    }
}

// Storing.
extension StreamRow {
    /// A row of `SQL.streams`.
    init(_ row: inout Row) throws {
        number = try row.number()
        name = StreamName(try row.text())
        revision = try row.number()
        lastSequence = try row.number()
        storedThrough = lastSequence
        isStored = true
        indexedThrough = try row.number()
        queued = try row.number()
        delivered = try row.number()
        deadLettered = try row.number()
        liveBytes = try row.number()
        newest = try row.optionalNumber()
        order = TimeOrder(peak: try row.optionalNumber(), ascendingFrom: try row.number())
        keys = try KeyCounts(stored: try row.bytes())
        retry = try row.optionalBytes()
        guard let floor = UInt32(exactly: try row.number()) else { throw QueueStoreError.damagedValue }
        keyFloor = KeyID(floor)
        let sequences = 0...EntryKey.largestSequence
        guard (1...EntryKey.largestStream).contains(number), sequences.contains(lastSequence),
            (0...lastSequence).contains(indexedThrough), liveBytes >= 0,
            [queued, delivered, deadLettered].allSatisfy(sequences.contains),
            // What is told of losses rests on these: one that is damaged must not be taken at its word.
            keys.total == queued + delivered + deadLettered, keys.total <= lastSequence
        else { throw QueueStoreError.damagedValue }
    }

    /// As `SQL.updateStream` takes it.
    func bind(to bindings: inout Bindings) {
        for value in [number, revision, lastSequence, indexedThrough, queued, delivered, deadLettered, liveBytes] {
            bindings.bind(value)
        }
        bindings.bind(newest)
        bindings.bind(order.peak)
        bindings.bind(order.ascendingFrom)
        bindings.bind(keys.bytes)
        bindings.bind(Int64(keyFloor.rawValue))
    }
}
