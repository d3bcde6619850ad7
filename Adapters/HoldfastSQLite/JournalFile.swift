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
            for name in changed {
                guard let stream = streams[name] else { continue }
                try connection.run(.updateStream) { stream.bind(to: &$0) }
            }
            changed.removeAll(keepingCapacity: true)
            return value
        }
    }

    private func transaction<Value>(_ begin: SQL, _ body: () throws -> Value) throws -> Value {
        do {
            return try connection.transaction(begin) {
                try refresh()
                return try body()
            }
        } catch {
            forget()
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

    private func refresh() throws {
        guard try !connection.hasMoved() else { throw FileMoved() }
        let version = try connection.number(.dataVersion)
        guard version != dataVersion else { return }
        streams.removeAll(keepingCapacity: true)
        resealing = ResealingPlaces()
        try connection.rows(.streams) { row in
            let stream = try StreamRow(&row)
            streams[stream.name] = stream
            return true
        }
        try newestIDs.refresh(allStreams, from: connection)
        dataVersion = version
    }

    private func forget() {
        streams.removeAll()
        changed.removeAll()
        newestIDs = NewestIDs()
        resealing = ResealingPlaces()
        dataVersion = nil
    }
}
