import Foundation

/// The device that the stand-ins pretend to run on: what its frameworks share, for tests to set.
/// `@unchecked`: its state is read and written under the lock.
public final class AppleDevice: @unchecked Sendable {
    /// Whether and how the device is locked; decides which keychain items and files can be read.
    public enum LockState: Sendable {
        /// Restarted, and not unlocked since: nothing protected can be read.
        case beforeFirstUnlock
        /// Locked again after an unlock.
        case locked
        /// In somebody's hands.
        case unlocked
    }

    /// The one device of this process, as on a real one.
    public static let current = AppleDevice()

    private let lock = NSLock()
    private var heldLockState = LockState.unlocked
    private var heldExceptions: [String]?

    private init() {}

    /// Whether and how the device is locked.
    public var lockState: LockState {
        get { lock.withLock { heldLockState } }
        set { lock.withLock { heldLockState = newValue } }
    }

    /// What would have ended the process on a real device, in order, while `catchingExceptions` runs.
    public var exceptions: [String] { lock.withLock { heldExceptions ?? [] } }

    /// Runs `body` and collects in `exceptions` what would have ended the process, instead of ending it.
    public func catchingExceptions<T>(_ body: () throws -> T) rethrows -> (result: T, exceptions: [String]) {
        lock.withLock { heldExceptions = [] }
        defer { lock.withLock { heldExceptions = nil } }
        let result = try body()
        return (result, exceptions)
    }

    /// What the stand-ins call where Apple's frameworks raise an Objective-C exception or kill the process.
    public func raise(_ exception: String) {
        let isCaught: Bool = lock.withLock {
            heldExceptions?.append(exception)
            return heldExceptions != nil
        }
        if !isCaught { fatalError("on a device: \(exception)") }
    }

    /// Asserts that a blocking call is not made on the main thread.
    public func expectOffMain(_ call: String) {
        if Thread.isMainThread { raise("\(call) blocks the main thread") }
    }
}
