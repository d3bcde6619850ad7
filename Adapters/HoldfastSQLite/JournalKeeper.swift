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
    private var leases = 0

    init(
        path: String,
        configuration: SQLiteQueueStore.Configuration,
        diagnostics: any DiagnosticSink
    ) throws {
        self.configuration = configuration
        self.diagnostics = diagnostics
        var generator = SystemRandomNumberGenerator()
        holder = Holder(token: String(generator.next(), radix: 16))
        place = try OpenPath(path)
        _ = try openFile()
    }

    /// Runs `body` on the open file. Where another process's lock or damage is in the way, waits and mends, if this
    /// thread may do so, and runs it once more.
    ///
    /// - Throws: `NotNow` if it may not, before anything was done.
    func perform<Value>(patiently: Bool, _ body: (JournalFile) throws -> Value) throws -> Value {
        do {
            return try attempt(patiently: patiently, body)
        } catch is FileMoved {
            guard patiently else { throw NotNow() }
            file = nil
        } catch let error as QueueStoreError where error.code == .corrupt {
            guard patiently else { throw NotNow() }
            try mend(error)
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

    /// A lease id that no other store has given out.
    func nextLease() -> Lease.ID {
        leases += 1
        return Lease.ID("\(holder.token)-\(leases)")
    }

    var needsMaintenance: Bool { file?.needsMaintenance ?? false }

    /// A stretch of what calls leave for later: whether it could be done. A failure is reported, and it is tried
    /// again after the next call.
    func maintain() -> Bool {
        do {
            try perform(patiently: true) { try $0.maintain() }
            return true
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
        if file == nil { _ = try openFile() }
    }

    func close() {
        phase = .closed
        file = nil
        place = nil
    }

    private func openFile() throws -> JournalFile {
        guard let path = place?.path else { throw QueueStoreError(.closed) }
        try FileSystem.create(path)
        let opened = try JournalFile(path: path, holder: holder, busyTimeout: configuration.busyTimeout)
        file = opened
        return opened
    }

    private func mend(_ error: QueueStoreError) throws {
        throw error
    }
}

/// The work cannot be done on the caller's thread: it would have to wait, or take long.
struct NotNow: Error {}
