/// A bearer token. Its text never appears in its description.
public struct AccessToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The secret text.
    public let value: String

    /// The token with this text.
    public init(_ value: String) { self.value = value }

    /// Says that it is a token, not which.
    public var description: String { "AccessToken" }
    /// Shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Gives the host's current access token, at the moment of sending.
public protocol AccessTokenProvider: Sendable {
    /// The token to use now; nil sends without one.
    ///
    /// - Parameter refused: The token that the server has just refused, so that the host can refresh it; nil at first.
    /// - Throws: Anything when no token is to be had now; delivery is then held and nothing is lost.
    func token(refused: AccessToken?) async throws -> AccessToken?
}
