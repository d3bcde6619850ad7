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
            throw QueueStoreError(.cannotOpen, platformCode: Int(errno))
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

    /// Makes the names in the path's directory as durable as the files.
    static func syncDirectory(of path: String) throws {
        let descriptor = open(directory(of: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error() }
        defer { close(descriptor) }
        // Some file systems cannot sync a directory, and need not.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw error() }
    }

    /// Runs `body` while no other process does the same for a file of this directory.
    static func withDirectoryLocked<Value>(of path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = open(directory(of: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error() }
        // Closing it releases the lock.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw error() }
        }
        return try body()
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
