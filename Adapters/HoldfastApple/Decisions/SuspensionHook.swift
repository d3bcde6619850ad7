/// Lets go of what must not be held when the system suspends the process, such as a database file, and takes it up
/// again when there is work: iOS ends a process that is suspended with a file lock (0xdead10cc).
///
/// Everything that works with the files says so: the app while it is in the foreground, a background task while it
/// runs. When the last has ended, `release` is called, and `reacquire` before the next begins. They are called one at a
/// time, each after the other.
///
/// ```swift
/// let hook = SuspensionHook()
/// await hook.add(release: { await store.suspend() }, reacquire: { try? await store.resume() })
/// let report = await hook.whileInUse { await telemetry.background(until: deadline) }
/// ```
public actor SuspensionHook {
    private struct Holder {
        let release: @Sendable () async -> Void
        let reacquire: @Sendable () async -> Void
    }

    private var holders: [Holder] = []
    private var users = 0
    private var isHeld = true
    private var lastChange: Task<Void, Never>?

    /// A hook around nothing yet.
    public init() {}

    /// Adds something that is held now.
    ///
    /// - Parameters:
    ///   - release: Lets go of it, once the calls under way are done.
    ///   - reacquire: Takes it up again. If that fails, the next call that uses it fails too.
    public func add(
        release: @escaping @Sendable () async -> Void,
        reacquire: @escaping @Sendable () async -> Void
    ) async {
        await change { hook in await hook.adjust(adding: Holder(release: release, reacquire: reacquire)) }
    }

    /// Somebody begins to work; returns once everything is held.
    public func begin() async {
        users += 1
        await change { await $0.adjust() }
    }

    /// Somebody has ended; returns once everything is let go of, if that was the last.
    public func end() async {
        users = max(0, users - 1)
        await change { await $0.adjust() }
    }

    /// Works while everything is held.
    public func whileInUse<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
        await begin()
        let result = await work()
        await end()
        return result
    }

    /// One at a time: each waits for the one before.
    private func change(_ body: @escaping @Sendable (SuspensionHook) async -> Void) async {
        let change = Task { [lastChange] in
            await lastChange?.value
            await body(self)
        }
        lastChange = change
        await change.value
    }

    private func adjust(adding holder: Holder) async {
        holders.append(holder)
        if !isHeld { await holder.release() }
    }

    private func adjust() async {
        guard (users > 0) != isHeld else { return }
        isHeld.toggle()
        for holder in holders {
            if isHeld { await holder.reacquire() } else { await holder.release() }
        }
    }
}
