/// The write-ahead log of a database, read without SQLite.
struct LogFile {
    /// The log's own path.
    let path: String

    /// The log of the database at this path.
    init(of database: String) { path = database + "-wal" }

    /// Whether there are commits after damage, which SQLite would ignore. Only while no process writes.
    func isCutOff() throws -> Bool { try walk { _ in }?.isCutOff ?? false }

    /// Writes the proven frames of this log as another log, which SQLite reads to its end.
    func copySound(to copy: LogFile) throws {
        try FileSystem.write(copy.path) { write in
            var writer: LogWriter?
            try walk { frame in
                if writer == nil {
                    let new = LogWriter(frameSize: frame.count)
                    try write(new.header)
                    writer = new
                }
                if let bytes = writer?.frame(frame) { try write(bytes) }
            }
        }
    }

    /// Gives `body` every frame that is proven; nil if there is no log.
    @discardableResult
    private func walk(_ body: ([UInt8]) throws -> Void) throws -> LogWalk? {
        guard FileSystem.exists(path) else { return nil }
        return try FileSystem.read(path) { read in
            var walk = LogWalk(header: try read(LogWalk.headerSize), pageSize: FirstPage.size)
            while true {
                let frame = try read(walk.frameSize)
                guard frame.count == walk.frameSize else { return walk }
                if walk.take(frame) { try body(frame) }
            }
        }
    }
}
