import Foundation

/// Who is signed in, and the access token of this session.
/// `@unchecked`: the token is read and written under the lock.
final class Account: @unchecked Sendable {
    static let current = Account()

    private let lock = NSLock()
    private var held = "first token"

    var token: String { lock.withLock { held } }

    func signIn(with token: String) {
        lock.withLock { held = token }
    }

    /// Gets another token in place of `old`, unless that has been done. A real account asks the server for it.
    func renew(_ old: String) async throws {
        lock.withLock { if held == old { held = "second token" } }
    }
}
