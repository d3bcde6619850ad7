#if canImport(CryptoKit) && canImport(UIKit)
import Foundation

/// Whether the app is in use. While it is not, the file is let go of between one piece of work and the next, and what is
/// logged is stored by a piece of work of its own.
/// `@unchecked`: its state is read and written under the lock.
final class AppPhase: @unchecked Sendable {
    private enum Phase { case launched, inUse, away }

    private let lock = NSLock()
    private var phase = Phase.launched
    private var isClaimed = false

    /// The app is in the foreground, and the file is held.
    func enter() { lock.withLock { phase = .inUse } }

    /// The app leaves the foreground.
    func leave() { lock.withLock { phase = .away } }

    /// The app works in the background, and lets go of the file afterwards, unless it is in the foreground as well.
    func work() { lock.withLock { if phase == .launched { phase = .away } } }

    /// Whether the caller is to store what was logged just now: nobody else is about to.
    func claim() -> Bool {
        lock.withLock {
            guard phase == .away, !isClaimed else { return false }
            isClaimed = true
            return true
        }
    }

    /// Whoever claimed it begins to store: what is logged from now on is for the next.
    func begin() { lock.withLock { isClaimed = false } }
}
#endif
