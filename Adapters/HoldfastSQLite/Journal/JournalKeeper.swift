import CHoldfastSQLite
import HoldfastDomain

/// The journal at one path, through suspension, damage and closing. Used by one thread at a time.
final class JournalKeeper {
    private enum Phase { case open, suspended, closed }

    private let configuration: SQLiteQueueStore.Configuration
    private let diagnostics: any DiagnosticSink
    private let holder: Holder
    private var place: OpenPath?
    private var phase = Phase.open
    private var file: JournalFile?

    init(
        path: String,
        configuration: SQLiteQueueStore.Configuration,
        diagnostics: any DiagnosticSink
    ) throws {
        self.configuration = configuration
        self.diagnostics = diagnostics
        var generator = SystemRandomNumberGenerator()
        holder = Holder(token: String(generator.next(), radix: 16))
        place = try OpenPath.take(path)
        try perform(patiently: true) { _ in }
    }

    /// Runs `body` on the open file. Where another process's lock, damage or a full disk is in the way, waits, mends or
    /// makes room, if this thread may do so, and runs it once more.
    ///
    /// - Throws: `NotNow` if it may not, before anything was done.
    func perform<Value>(patiently: Bool, _ body: (JournalFile) throws -> Value) throws -> Value {
        do {
            return try attempt(patiently: patiently, body)
        } catch is FileMoved {
            guard patiently else { throw NotNow() }
            try reopenReplaced()
        } catch let error as QueueStoreError where error.code == .corrupt {
            guard patiently else { throw NotNow() }
            try mend(error)
        } catch let error as QueueStoreError where error.code == .full {
            guard patiently else { throw NotNow() }
            makeRoom()
        } catch let error as QueueStoreError where error.code == .busy && !patiently {
            throw NotNow()
        }
        do {
            return try attempt(patiently: true, body)
        } catch is FileMoved {
            // Someone keeps replacing the file.
            throw QueueStoreError(.cannotOpen)
        }
    }

    private func attempt<Value>(patiently: Bool, _ body: (JournalFile) throws -> Value) throws -> Value {
        guard phase == .open else { throw QueueStoreError(.closed) }
        guard let file = try file ?? (patiently ? openFile() : nil) else { throw NotNow() }
        file.connection.waitForLocks(patiently ? configuration.busyTimeout : .zero)
        return try body(file)
    }

    /// Gives back what the write-ahead log takes of a full disk, as far as its pages have a place in the file already.
    private func makeRoom() {
        guard let connection = file?.connection else { return }
        // Others may be reading from the log; whoever waits here has someone waiting for them.
        connection.waitForLocks(min(configuration.busyTimeout, .milliseconds(200)))
        // Where nothing could be given back, running once more says so.
        try? connection.checkpoint(truncating: true)
    }

    var needsMaintenance: Bool { file?.needsMaintenance ?? false }

    /// A stretch of what calls leave for later: whether it could be done. A failure is reported, and it is tried
    /// again after the next call.
    func maintain() -> Bool {
        do {
            try perform(patiently: true) { try $0.maintain() }
            return true
        } catch let error as QueueStoreError where error.code == .busy {
            return false
        } catch {
            let code = (error as? QueueStoreError)?.platformCode
            diagnostics.record(DiagnosticEvent(.storeFailed, platformCode: code))
            return false
        }
    }

    /// Lets go of the file and of every lock until `resume`.
    func suspend() {
        guard phase == .open else { return }
        phase = .suspended
        file = nil
    }

    func resume() throws {
        guard phase != .closed else { throw QueueStoreError(.closed) }
        phase = .open
        try perform(patiently: true) { _ in }
    }

    func close() {
        phase = .closed
        file = nil
        place = nil
    }

    private var patience: LockPatience {
        LockPatience(limit: configuration.directoryTimeout) { [diagnostics] in
            diagnostics.record(DiagnosticEvent(.storeAwaited))
        }
    }

    /// Opens the file, while no other process is putting another in its place.
    private func openFile() throws -> JournalFile {
        guard let path = place?.path else { throw QueueStoreError(.closed) }
        return try FileSystem.withDirectoryLocked(of: path, patience: patience) {
            try DamagedFile.finishReplacing(path)
            return try openFile(at: path)
        }
    }

    private func openFile(at path: String) throws -> JournalFile {
        try FileSystem.create(path)
        // SQLite reads the log when the first process opens the file; later ones use what that one has found.
        if try !FileSystem.isOpenElsewhere(path), try LogFile(of: path).isCutOff() {
            throw QueueStoreError(.corrupt, platformCode: Int(SQLITE_CORRUPT))
        }
        let opened = try open(path)
        file = opened
        return opened
    }

    /// Opens the file that the path leads to now. If it has less than the one before, that was not mended but removed.
    private func reopenReplaced() throws {
        let known = file?.lastKnown ?? []
        file = nil
        let opened = try openFile()
        let isLost = known.contains { $0.lastSequence > opened.stream($0.name)?.lastSequence ?? 0 }
        if isLost { diagnostics.record(DiagnosticEvent(.journalLost)) }
    }

    /// Puts a new file with all that can be read in the place of a damaged one, and tells of it.
    private func mend(_ damage: QueueStoreError) throws {
        guard let path = place?.path else { throw QueueStoreError(.closed) }
        let known = file?.lastKnown ?? []
        let lost = try FileSystem.withDirectoryLocked(of: path, patience: patience) { () -> Int? in
            guard try isStillDamaged(path) else { return nil }
            file?.connection.leaveUntouched()
            file = nil
            let damaged = try lockDamaged(path)
            // Until the file has been moved: another process must not add to what has been read already.
            return try withExtendedLifetime(damaged) {
                try DamagedFile(path: path).replace { target, graft in
                    var sources = damaged.map { $0.hasReadableSchema ? [$0] : [] } ?? []
                    // If commits are cut off, SQLite reads more of a copy with a log that has no damage.
                    if try sources.isEmpty || LogFile(of: path).isCutOff(),
                        let copy = try readableCopy(of: path, template: target, at: graft)
                    {
                        sources.insert(copy, at: 0)
                    }
                    return try salvage(sources, into: target, known: known)
                }
            }
        }
        guard let lost else { return }
        diagnostics.record(DiagnosticEvent(.storeSalvaged, count: lost, platformCode: damage.platformCode))
    }

    /// Another process may have been here first: then the path leads to a sound file.
    private func isStillDamaged(_ path: String) throws -> Bool {
        if let file {
            guard try file.connection.hasMoved() else { return true }
            self.file = nil
            return false
        }
        do {
            _ = try openFile(at: path)
            return false
        } catch let error as QueueStoreError where error.code == .corrupt {
            return true
        }
    }

    /// Opens a damaged file and keeps others from writing it, as far as that can be done; nil if it cannot be opened.
    private func lockDamaged(_ path: String) throws -> Connection? {
        do {
            let damaged = try Connection(damaged: path)
            damaged.waitForLocks(configuration.busyTimeout)
            // If this page or that is too damaged for a lock, nobody else gets one either.
            do { try damaged.run(.beginImmediate) } catch let error as QueueStoreError where error.code == .corrupt {}
            return damaged
        } catch let error as QueueStoreError where error.code == .corrupt {
            return nil
        }
    }

    /// A copy of a damaged file with a sound first page; nil if that cannot be opened either.
    private func readableCopy(of path: String, template: String, at copy: String) throws -> Connection? {
        try open(template).connection.checkpoint(truncating: true)
        try FirstPage(of: template).graft(path, onto: copy)
        do {
            return try Connection(damaged: copy)
        } catch let error as QueueStoreError where error.code == .corrupt {
            return nil
        }
    }

    private func salvage(_ sources: [Connection], into path: String, known: [StreamRow]) throws -> Int {
        let target = try open(path)
        let lost = try Salvage(sources: sources, known: known, target: target).run()
        try target.connection.checkpoint(truncating: true)
        return lost
    }

    private func open(_ path: String) throws -> JournalFile {
        do {
            return try JournalFile(path: path, holder: holder, busyTimeout: configuration.busyTimeout)
        } catch is FileMoved {
            // By someone who does not lock the directory.
            throw QueueStoreError(.cannotOpen)
        }
    }
}

/// The work cannot be done on the caller's thread: it would have to wait, or take long.
struct NotNow: Error {}
