import HoldfastDomain

/// A token provider that follows a script, and keeps which tokens were refused. Safe from any thread.
public final class ScriptedTokenProvider: AccessTokenProvider {
    private struct State {
        var token: AccessToken?
        var fresh: [AccessToken]
        var failure: (any Error)?
        var refused: [AccessToken] = []
        var requests = 0
    }

    private let state: Locked<State>

    /// Gives `token`; each time its own token is refused, the next of `fresh`, and the last one for ever.
    public init(_ token: String? = "token", fresh: [String] = []) {
        state = Locked(State(token: token.map { AccessToken($0) }, fresh: fresh.map { AccessToken($0) }))
    }

    /// The current token.
    public func token(refused: AccessToken?) async throws -> AccessToken? {
        try state.withLock { state in
            state.requests += 1
            if let failure = state.failure { throw failure }
            if let refused {
                state.refused.append(refused)
                if refused == state.token, !state.fresh.isEmpty { state.token = state.fresh.removeFirst() }
            }
            return state.token
        }
    }

    /// The tokens that were refused, in order.
    public var refused: [AccessToken] { state.withLock { $0.refused } }

    /// How often it was asked.
    public var requests: Int { state.withLock { $0.requests } }

    /// Gives this token from now on, as after the user has signed in again; also ends a failure.
    public func setToken(_ token: String?) {
        state.withLock {
            $0.token = token.map { AccessToken($0) }
            $0.failure = nil
        }
    }

    /// Makes every question throw `error`, until `setToken`.
    public func fail(with error: any Error) { state.withLock { $0.failure = error } }
}
