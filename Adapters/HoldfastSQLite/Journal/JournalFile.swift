import HoldfastDomain

/// The path no longer leads to the file that is open: another process moved it aside, or someone removed it.
struct FileMoved: Error {}

/// One open journal: its transactions, and what it remembers between them. Used by one thread at a time.
///
/// What is remembered (the streams' rows, the newest ids) is what the file holds; it is forgotten when a transaction
/// fails, and read again when `data_version` says that another connection has written.
final class JournalFile {
    let connection: Connection
    let holder: Holder
    var newestIDs = NewestIDs()
    var resealing = ResealingPlaces()
    /// Whether rows have been removed since free pages were last given back.
    var hasRemoved = false
    private var streams: [StreamName: StreamRow] = [:]
    private var changed: Set<StreamName> = []
    private var dataVersion: Int64?
    /// The streams as they were before a failure, for their names and numbers.
    private(set) var lastKnown: [StreamRow] = []

    init(path: String, holder: Holder, busyTimeout: Interval) throws {
        connection = try Connection(path: path)
        self.holder = holder
        connection.waitForLocks(busyTimeout)
        do {
            try Schema.prepare(connection)
            // Where fsync alone does not reach the medium (Apple): F_FULLFSYNC, when something is synced at all.
            try connection.execute("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
            try connection.execute("PRAGMA journal_size_limit = \(Space.logLimit)")
            try read {}
        } catch {
            connection.leaveUntouched()
            throw error
        }
    }

    /// Runs `body` on one snapshot of the file.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction(.begin, body)
    }

    /// Runs `body` in one write transaction; the streams' rows it changed are stored with it.
    func write<Value>(_ durability: Durability = .processDeath, _ body: () throws -> Value) throws -> Value {
        try connection.survive(durability)
        return try transaction(.beginImmediate) {
            let value = try body()
            if !changed.isEmpty { try storeChanged() }
            return value
        }
    }

    private func storeChanged() throws {
        for name in changed {
            guard var stream = streams[name] else { continue }
            stream.revise()
            try connection.run(.updateStream) { stream.bind(to: &$0) }
            streams[name] = stream
        }
        changed.removeAll(keepingCapacity: true)
    }

    private func transaction<Value>(_ begin: SQL, _ body: () throws -> Value) throws -> Value {
        var hasBegun = false
        do {
            return try connection.transaction(begin) {
                hasBegun = true
                try refresh()
                return try body()
            }
        } catch {
            // What is remembered may be of what has just been undone.
            if hasBegun { forget() }
            throw error
        }
    }

    /// The row of a stream that exists.
    func stream(_ name: StreamName) -> StreamRow? { streams[name] }

    /// All streams that exist.
    var allStreams: [StreamRow] { Array(streams.values) }

    /// The row of a stream, which is added if it does not exist. Only in a write transaction.
    func makeStream(_ name: StreamName) throws -> StreamRow {
        if let stream = streams[name] { return stream }
        let number = try connection.first(.addStream, { $0.bind(name.rawValue) }, { try $0.number() })
        guard let number, (1...EntryKey.largestStream).contains(number) else { throw QueueStoreError.damagedValue }
        let stream = StreamRow(number: number, name: name)
        streams[name] = stream
        return stream
    }

    /// Keeps a stream's row, to be stored when the transaction ends. Only in a write transaction.
    func update(_ stream: StreamRow) {
        streams[stream.name] = stream
        changed.insert(stream.name)
    }

    /// Keeps a stream's row that has only had entries appended.
    func appended(_ stream: StreamRow) {
        streams[stream.name] = stream
        newestIDs.note(stream)
        if stream.isBehind { changed.insert(stream.name) }
    }

    /// Catches up with what other connections have written.
    private func refresh() throws {
        guard try !connection.hasMoved() else { throw FileMoved() }
        let version = try connection.number(.dataVersion)
        guard version != dataVersion else { return }
        resealing = ResealingPlaces()
        newestIDs.isBehind = true
        try connection.rows(.streams) { row in
            let stream = try StreamRow(&row)
            // Of an unchanged row, this process has counted some of the entries after it already.
            if streams[stream.name]?.revision != stream.revision { streams[stream.name] = stream }
            return true
        }
        for stream in streams.values { streams[stream.name] = try countNewest(stream) }
        dataVersion = version
    }

    private func countNewest(_ stream: StreamRow) throws -> StreamRow {
        var counted = stream
        try eachQueuedHead(after: stream.key(stream.lastSequence), through: stream.bounds.through) { head in
            counted.count(head)
            return true
        }
        return counted
    }

    /// Reads the heads of the queued entries after one key through another, in order, until `read` returns false.
    func eachQueuedHead(after: EntryKey, through: EntryKey, _ read: (EntryHead) throws -> Bool) throws {
        try connection.rows(
            .queuedHeads,
            {
                $0.bind(after.rawValue)
                $0.bind(through.rawValue)
            },
            { row in try read(try row.head()) }
        )
    }

    private func forget() {
        if !streams.isEmpty { lastKnown = allStreams }
        streams.removeAll()
        changed.removeAll()
        newestIDs = NewestIDs()
        resealing = ResealingPlaces()
        dataVersion = nil
    }
}
