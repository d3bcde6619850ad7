import HoldfastDomain

/// A path that is open in this process, for as long as this object lives.
///
/// SQLite's POSIX locks belong to the process: two stores on one file could not see each other's, and either's
/// closing would drop both's (https://sqlite.org/howtocorrupt.html, section 2.2). A lease also counts on it.
final class OpenPath: Sendable {
    // The one piece of global state: a process has one table of open files, whoever opens them.
    private static let open = Guarded<Set<String>>([])

    /// The path without symbolic links.
    let path: String

    /// - Throws: `.alreadyOpen`, or `.noDirectory`.
    static func take(_ path: String) throws -> OpenPath {
        let path = try FileSystem.resolve(path)
        guard open.withLock({ $0.insert(path).inserted }) else { throw QueueStoreError(.alreadyOpen) }
        return OpenPath(path)
    }

    // Does not throw: then `deinit` would run, and give back what somebody else has taken.
    private init(_ path: String) { self.path = path }

    deinit {
        _ = Self.open.withLock { $0.remove(path) }
    }
}
