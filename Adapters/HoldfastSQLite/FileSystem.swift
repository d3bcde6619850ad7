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

    /// The first bytes of a file; fewer if it has no more.
    static func read(_ path: String, count: Int) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw error() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = fread(&bytes, 1, count, file)
        guard ferror(file) == 0 else { throw error() }
        return Array(bytes[..<found])
    }

    /// Makes a copy of a file, with other bytes in place of its first.
    static func copy(_ path: String, to target: String, startingWith start: [UInt8] = []) throws {
        guard let source = fopen(path, "rb") else { throw error() }
        defer { fclose(source) }
        try create(target)
        guard let copy = fopen(target, "wb") else { throw error() }
        // On success it is closed, and asked for errors, below.
        var isClosed = false
        defer { if !isClosed { fclose(copy) } }
        guard fwrite(start, 1, start.count, copy) == start.count, fseek(source, start.count, SEEK_SET) == 0 else {
            throw error()
        }
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = fread(&buffer, 1, buffer.count, source)
            guard ferror(source) == 0, fwrite(buffer, 1, count, copy) == count else { throw error() }
            if count < buffer.count { break }
        }
        isClosed = true
        guard fclose(copy) == 0 else { throw error() }
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
    static func withDirectoryLocked<Value>(of path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = open(directory(of: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error() }
        // Closing it releases the lock.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
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
