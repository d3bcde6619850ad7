import HoldfastDomain

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The few calls on files that SQLite does not make itself. None asks for a file's times, which Apple wants reasons
/// for; so nothing here calls `stat`.
enum FileSystem {
    /// The path without symbolic links; the file itself need not exist.
    static func resolve(_ path: String) throws -> String {
        if let resolved = canonical(path) { return resolved }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !name.isEmpty, let directory = canonical(directory(of: path)) else {
            let number = errno
            throw QueueStoreError(
                !name.isEmpty && number == ENOENT ? .noDirectory : .cannotOpen,
                platformCode: Int(number)
            )
        }
        return directory == "/" ? "/\(name)" : "\(directory)/\(name)"
    }

    private static func canonical(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes an empty file that only this user may read and write, unless there is one. SQLite gives its side files
    /// the same permissions.
    static func create(_ path: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw error()
        }
    }

    /// Renames a file over any other; a file that is not there is passed over.
    static func move(_ path: String, to target: String) throws {
        guard rename(path, target) == 0 || errno == ENOENT else { throw error() }
    }

    /// Removes a file; one that is not there is passed over.
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw error() }
    }

    /// Reads a file from its beginning: each call of `read` gives as many of the next bytes as are asked for, or all that
    /// are left.
    static func read<Value>(_ path: String, _ body: (_ read: (Int) throws -> [UInt8]) throws -> Value) throws -> Value {
        guard let file = fopen(path, "rb") else { throw error() }
        defer { fclose(file) }
        return try body { count in
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { $1 = fread($0.baseAddress, 1, count, file) }
            guard ferror(file) == 0 else { throw error() }
            return bytes
        }
    }

    /// Writes a file anew, with the bytes of each call of `write` in turn.
    static func write(_ path: String, _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws {
        try create(path)
        guard let file = fopen(path, "wb") else { throw error() }
        // On success it is closed, and asked for errors, below.
        var isClosed = false
        defer { if !isClosed { fclose(file) } }
        try body { bytes in
            guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw error() }
        }
        isClosed = true
        guard fclose(file) == 0 else { throw error() }
    }

    /// Makes a copy of a file, with other bytes in place of its first.
    static func copy(_ path: String, to target: String, startingWith start: [UInt8]) throws {
        try read(path) { read in
            try write(target) { write in
                try write(start)
                _ = try read(start.count)
                while true {
                    let bytes = try read(262_144)
                    if bytes.isEmpty { return }
                    try write(bytes)
                }
            }
        }
    }

    /// Makes the names in the path's directory as durable as the files.
    static func syncDirectory(of path: String) throws {
        let descriptor = open(directory(of: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error() }
        defer { close(descriptor) }
        // Some file systems cannot sync a directory, and need not.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw error() }
    }

    /// Runs `body` while no other process does the same for a file of this directory; on a file system without such
    /// locks, all the same.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for another process. Only what is slept is counted, so that a process which was
    ///     stopped itself does not give up at once.
    /// - Throws: `.busy` when that is over: the other process may be stopped, and this one must not be for that.
    static func withDirectoryLocked<Value>(
        of path: String,
        patience: LockPatience,
        _ body: () throws -> Value
    ) throws -> Value {
        let descriptor = open(directory(of: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error() }
        // Closing it releases the lock.
        defer { close(descriptor) }
        var waited = Interval.zero
        var pause = Interval.milliseconds(1)
        var hasTold = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { break }
            if !hasTold, waited >= min(patience.quiet, patience.limit) {
                hasTold = true
                patience.tell()
            }
            guard waited < patience.limit else { throw QueueStoreError(.busy) }
            usleep(useconds_t(clamping: pause.milliseconds * 1000))
            waited = waited + pause
            pause = min(pause + pause, .milliseconds(50))
        }
        return try body()
    }

    /// Whether another process has a database open: a connection that uses a log keeps a lock on the file's lock-byte page
    /// (https://sqlite.org/fileformat2.html, section 1.4). Only while this process has not opened it: closing the file here
    /// would drop the process's own locks.
    static func isOpenElsewhere(_ path: String) throws -> Bool {
        // Without blocking, in case somebody put a pipe there: the directory is locked meanwhile.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw error() }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        // If the system cannot tell, there may be one.
        return fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
    }

    private static func error() -> QueueStoreError {
        let number = errno
        let code: QueueStoreError.Code
        switch number {
        case ENOSPC, EDQUOT: code = .full
        case EROFS: code = .readOnly
        case EIO: code = .inputOutput
        default: code = .cannotOpen
        }
        return QueueStoreError(code, platformCode: Int(number))
    }
}

/// How long to wait for a directory that another process has locked, and what to do about it.
struct LockPatience {
    /// How long in all.
    let limit: Interval
    /// How long before it is told.
    var quiet = Interval.seconds(5)
    /// Tells that another process is waited for; called once at most.
    let tell: () -> Void
}
