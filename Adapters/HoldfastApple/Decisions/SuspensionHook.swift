/// Lets go of what must not be held when the system suspends the process, such as a database file, and takes it up
/// again when there is work: iOS ends a process that is suspended with a file lock (0xdead10cc).
///
/// Everything that works with the files says so: the app while it is in the foreground, a background task while it
/// runs. When the last has ended, `release` is called, and `reacquire` before the next begins. They are called one at a
/// time, each after the other.
///
/// ```swift
/// let hook = SuspensionHook(release: { await store.suspend() }, reacquire: { try? await store.resume() })
/// await hook.whileInUse { await telemetry.background(until: deadline) }
/// ```
public actor SuspensionHook {
    private let release: @Sendable () async -> Void
    private let reacquire: @Sendable () async -> Void
    private var users = 0
    private var isHeld = true
    private var lastChange: Task<Void, Never>?

    /// A hook around something that is held now.
    ///
    /// - Parameters:
    ///   - release: Lets go of it, once the calls under way are done.
    ///   - reacquire: Takes it up again. What cannot be taken up now is for whoever uses it to find out.
    public init(release: @escaping @Sendable () async -> Void, reacquire: @escaping @Sendable () async -> Void) {
        self.release = release
        self.reacquire = reacquire
    }

    /// Somebody begins to work; returns once it is held.
    public func begin() async {
        users += 1
        await settle()
    }

    /// Somebody has ended; returns once it is let go of, if that was the last.
    public func end() async {
        users = max(0, users - 1)
        await settle()
    }

    /// Works while it is held.
    public func whileInUse<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
        await begin()
        let result = await work()
        await end()
        return result
    }

    private func settle() async {
        let change = Task { [lastChange] in
            await lastChange?.value
            await adjust()
        }
        lastChange = change
        await change.value
    }

    /// One at a time: each waits for the one before.
    private func adjust() async {
        if users > 0, !isHeld {
            await reacquire()
            isHeld = true
        } else if users == 0, isHeld {
            await release()
            isHeld = false
        }
    }
}
