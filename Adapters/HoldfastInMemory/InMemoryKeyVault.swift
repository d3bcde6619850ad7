import HoldfastDomain

/// A key vault in memory, with the troubles of a real one at the turn of a switch. Safe to use from any thread.
///
/// ```swift
/// let vault = InMemoryKeyVault()
/// vault.lock()                                      // as before a device's first unlock: every call throws
/// vault.unlock()
/// vault.damage("telemetry.key.1")                   // reading this one throws `.damaged`; the others are fine
/// ```
public final class InMemoryKeyVault: KeyVault {
    private struct State {
        var secrets: [String: [UInt8]]
        var damaged: Set<String> = []
        var failure: KeyVaultError?
    }

    private let state: Locked<State>

    /// A vault that holds these secrets.
    public init(_ secrets: [String: [UInt8]] = [:]) { state = Locked(State(secrets: secrets)) }

    /// The secret called `name`.
    public func secret(named name: String) async throws -> [UInt8]? {
        try open { state in
            if state.damaged.contains(name) { throw KeyVaultError(.damaged) }
            return state.secrets[name]
        }
    }

    /// Adds a secret unless one of that name exists.
    public func insert(_ secret: [UInt8], named name: String) async throws -> Bool {
        guard SecretName.isValid(name) else { throw KeyVaultError(.invalidName) }
        return try open { state in
            guard state.secrets[name] == nil else { return false }
            state.secrets[name] = secret
            return true
        }
    }

    /// Removes a secret, damaged or not.
    public func remove(named name: String) async throws {
        try open { state in
            state.secrets[name] = nil
            state.damaged.remove(name)
        }
    }

    /// The names of all secrets.
    public func names() async throws -> [String] { try open { Array($0.secrets.keys) } }

    private func open<Result>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }
}

// MARK: - Troubles

extension InMemoryKeyVault {
    /// Makes every call throw `.unavailable` until `unlock()`.
    public func lock() { fail(with: KeyVaultError(.unavailable)) }

    /// Makes every call throw `error` until `unlock()`.
    public func fail(with error: KeyVaultError) { state.withLock { $0.failure = error } }

    /// Ends what `lock()` or `fail(with:)` began.
    public func unlock() { state.withLock { $0.failure = nil } }

    /// Makes reading `name` throw `.damaged`, until it is removed. Does nothing if there is no such secret.
    public func damage(_ name: String) {
        state.withLock { state in
            if state.secrets[name] != nil { state.damaged.insert(name) }
        }
    }

    /// Puts other bytes, of any length, in the place of a secret, as nothing honest would.
    public func plant(_ garbage: [UInt8], named name: String) { state.withLock { $0.secrets[name] = garbage } }
}
