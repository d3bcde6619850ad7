/// A bearer token. Its text never appears in its description.
public struct AccessToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The secret text.
    public let value: String

    /// The token with this text.
    public init(_ value: String) { self.value = value }

    /// The type's name only, never the secret.
    public var description: String { "AccessToken" }
    /// Shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Gives the host's current access token, at the moment of sending.
///
/// It keeps signing in, refreshing and storing tokens out of the package: those are the host's, and the package never
/// sees more than the token itself.
///
/// Only the host has tokens, so the only ready adapter is `ScriptedTokenProvider` for tests. Write one around the code
/// that holds them. It is asked before each delivery, from any task, and again with `refused` set when the server has
/// just refused a token; it should then refresh the token. If the answer is the refused token again, delivery is held
/// until the answer changes. Make sure that one refusal leads to one refresh, however many tasks ask. In a test:
///
/// ```swift
/// struct FixedToken: AccessTokenProvider {
///     var text = "token"
///     func token(refused: AccessToken?) async throws -> AccessToken? { AccessToken(text) }
/// }
/// ```
///
/// A provider promises, and `Conformance.accessTokenProvider` checks:
/// - `keeps_a_token_that_is_not_refused`: without a refusal, the token stays the same.
/// - `an_old_refusal_changes_nothing`: the refusal of a token that is no longer the current one is no reason to
///   refresh.
/// - `may_be_asked_many_times_at_once`: from many tasks, with one answer.
public protocol AccessTokenProvider: Sendable {
    /// The token to use now; nil sends without one.
    ///
    /// - Parameter refused: The token that the server has just refused, so that the host can refresh it; nil at first.
    /// - Throws: Any error when there is no token now; delivery is then held and nothing is lost.
    func token(refused: AccessToken?) async throws -> AccessToken?
}
