import HoldfastDomain

/// How disk space is bounded and given back.
///
/// - The write-ahead log is copied into the file when it holds `logPages`, and cut to `logLimit` when it starts anew.
/// - After entries have been removed, free pages beyond a quarter of the file, and beyond `freePagesKept`, are given
///   back to the file system. So a full queue does not shrink and grow with each batch, and an empty one is small.
/// - When nothing is queued any more, a log of more than `logKept` is emptied as well: it would stay as large as it ever
///   was, as SQLite cuts it only when it starts anew.
enum Space {
    static let logPages = 1000
    static let logLimit = 6_291_456
    static let logKept: Int64 = 1_048_576
    static let freePagesKept: Int64 = 256
    static let pagesGivenBackAtOnce: Int64 = 1024

    /// How many pages to give back now.
    static func excess(pages: Int64, free: Int64) -> Int64 { max(0, free - max(freePagesKept, pages / 4)) }

    /// What SQLite's index of a write-ahead log takes beside it: 32 KiB for the first 4062 pages and for each 4096
    /// more (https://sqlite.org/walformat.html, section 2.2).
    static func indexBytes(log: Int64, pageSize: Int64) -> Int64 {
        let pages = max(0, log - 32) / (max(512, pageSize) + 24)
        return 32_768 * (1 + (max(0, pages - 4062) + 4095) / 4096)
    }
}

extension JournalFile {
    /// Whether `maintain` has something to do.
    var needsMaintenance: Bool {
        hasRemoved || newestIDs.count > NewestIDs.limit || connection.pagesInLog >= Space.logPages
    }

    /// Puts the newest ids in order, gives back free pages, and copies the log into the file: a stretch of what
    /// nobody should have to wait for.
    func maintain() throws {
        if newestIDs.count > NewestIDs.limit { try write { try indexOldestOfNewest() } }
        if hasRemoved { try giveBackSpace() }
        if connection.pagesInLog >= Space.logPages { try connection.checkpoint() }
    }

    private func giveBackSpace() throws {
        let excess = try read(excessPages)
        let pages = min(excess, Space.pagesGivenBackAtOnce)
        if pages > 0 { try write { try connection.execute("PRAGMA incremental_vacuum(\(pages))") } }
        if excess <= pages, allStreams.allSatisfy({ $0.queued == 0 }), try connection.fileSizes().log > Space.logKept {
            // Another process's reader is not waited for: it is tried again after the next call.
            connection.waitForLocks(.zero)
            try connection.checkpoint(truncating: true)
        }
        hasRemoved = excess > pages
    }

    private func excessPages() throws -> Int64 {
        Space.excess(pages: try connection.number(.pageCount), free: try connection.number(.freePages))
    }

    func bytesOnDisk() throws -> Int64 {
        let (file, log) = try connection.fileSizes()
        let index = Space.indexBytes(log: log, pageSize: try connection.number(.pageSize))
        return file.addingSaturated(log).addingSaturated(index)
    }
}
