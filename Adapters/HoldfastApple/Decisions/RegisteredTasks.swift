import Foundation

/// The identifiers that this process has registered. The system ends a process that registers one twice, so there is
/// one such set for the process, as there is one scheduler.
/// `@unchecked`: the set is read and written under the lock.
package final class RegisteredTasks: @unchecked Sendable {
    package static let ofThisProcess = RegisteredTasks()

    private let lock = NSLock()
    private var identifiers: Set<String> = []

    /// Forgets everything: for a test that plays more than one process.
    package func forgetAll() { lock.withLock { identifiers = [] } }

    /// Whether the identifier is registered.
    func contains(_ identifier: String) -> Bool { lock.withLock { identifiers.contains(identifier) } }

    /// Registers by `attempt`, which is told whether it was done before; one attempt at a time.
    func insert(
        _ identifier: String,
        _ attempt: (_ isRegistered: Bool) -> BackgroundRegistration
    ) -> BackgroundRegistration {
        lock.withLock {
            let outcome = attempt(identifiers.contains(identifier))
            if outcome == .registered { identifiers.insert(identifier) }
            return outcome
        }
    }
}
