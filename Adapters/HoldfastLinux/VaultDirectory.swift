import Glibc
import HoldfastDomain

/// The directory of a file vault, known by what it is and not only by its path.
struct VaultDirectory: Sendable {
    private let path: String
    /// Kept open, so that no other directory can get its inode's number.
    private let held: Descriptor
    private let device: UInt64
    private let inode: UInt64

    init(_ path: String) throws {
        self.path = path
        do {
            let isNew = mkdir(path, 0o700) == 0
            if !isNew, errno != EEXIST { throw SystemError.last }
            held = try Self.open(path)
            (device, inode) = try Self.identity(of: held)
            if isNew { try Self.open(Self.parent(of: path)).sync() }
        } catch {
            throw KeyVaultError(system: error)
        }
    }

    /// The secret in the file called `name`; nil if there is none.
    func read(_ name: String) throws -> [UInt8]? {
        let directory = try reopen()
        let file: Descriptor
        do {
            // Without blocking, in case somebody put a pipe there.
            file = try Descriptor(openat(directory.number, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
        } catch let error as SystemError where error.number == ENOENT {
            return nil
        } catch let error as SystemError where error.number == ELOOP {
            throw KeyVaultError(.damaged, platformCode: Int(ELOOP))
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw SystemError.last }
        guard status.st_mode & S_IFMT == S_IFREG,
            let secret = SecretFile.decode(try file.readAll(upTo: SecretFile.limit + SecretFile.overhead))
        else { throw KeyVaultError(.damaged) }
        return secret
    }

    /// Makes the file called `name`, whole and on the medium, unless there is one.
    func add(_ content: [UInt8], as name: String) throws -> Bool {
        let directory = try reopen()
        // Also in a vault that may only be read; what follows is for those that come at the same moment.
        if faccessat(directory.number, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
            try directory.sync()
            return false
        }
        // No secret's name begins with a dot, so what a crash leaves behind is never taken for one.
        let draft = "\(Self.draftPrefix)\(getpid())-\(String(SystemRandom().next(), radix: 16))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = try Descriptor(openat(directory.number, draft, flags, 0o600))
        // Harmless if it fails: the draft is then left over, ignored, and gone with the secret at the latest.
        defer { unlinkat(directory.number, draft, 0) }
        try file.write(content)
        try file.sync()
        let isAdded = linkat(directory.number, draft, directory.number, name, 0) == 0
        guard isAdded || errno == EEXIST else { throw SystemError.last }
        // Also when another process was first: the caller may use the existing secret at once.
        try directory.sync()
        return isAdded
    }

    func remove(_ name: String) throws {
        let directory = try reopen()
        try removeDrafts(of: name, in: directory)
        guard unlinkat(directory.number, name, 0) == 0 || errno == ENOENT || removeFolder(name, in: directory) else {
            throw SystemError.last
        }
        try directory.sync()
    }

    func names() throws -> [String] { try entries(of: try reopen()).filter(SecretName.isValid) }

    private static let draftPrefix = ".new-"

    /// Removes what the unlinking of a file found to be a folder, such as one that a mount has left there, if it is empty.
    private func removeFolder(_ name: String, in directory: Descriptor) -> Bool {
        errno == EISDIR && unlinkat(directory.number, name, AT_REMOVEDIR) == 0
    }

    /// Removes what a crash left of making this secret: the same file under the draft's name. Before the secret itself,
    /// so that a second crash leaves nothing that nobody looks for.
    private func removeDrafts(of name: String, in directory: Descriptor) throws {
        guard let secret = inode(of: name, in: directory) else { return }
        for draft in try entries(of: directory) where draft.hasPrefix(Self.draftPrefix) {
            guard inode(of: draft, in: directory) == secret else { continue }
            guard unlinkat(directory.number, draft, 0) == 0 || errno == ENOENT else { throw SystemError.last }
        }
    }

    private func inode(of name: String, in directory: Descriptor) -> UInt64? {
        var status = stat()
        guard fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return UInt64(status.st_ino)
    }

    /// The names of all files in the directory.
    private func entries(of directory: Descriptor) throws -> [String] {
        // The stream closes the descriptor that it is given, so it is given its own.
        let copy = fcntl(directory.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError.last }
        guard let stream = fdopendir(copy) else {
            let error = SystemError.last
            close(copy)
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError.last }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
    }

    /// Opens the directory for one call.
    ///
    /// - Throws: `.unavailable` if the path leads nowhere, or to another directory than the one that was opened first.
    private func reopen() throws -> Descriptor {
        let directory = try Self.open(path)
        guard try Self.identity(of: directory) == (device, inode) else { throw KeyVaultError(.unavailable) }
        return directory
    }

    private static func open(_ path: String) throws -> Descriptor {
        try Descriptor(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    private static func identity(of directory: Descriptor) throws -> (UInt64, UInt64) {
        var status = stat()
        guard fstat(directory.number, &status) == 0 else { throw SystemError.last }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    private static func parent(of path: String) -> String {
        let trimmed = path.reversed().drop { $0 == "/" }.reversed()
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
