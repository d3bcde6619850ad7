import AppleDevice
import Foundation

/// The requests for time in the background.
/// `@unchecked`: its state is read and written under the lock.
final class BackgroundTaskTable: @unchecked Sendable {
    private let lock = NSLock()
    private var open: [Int: (@MainActor @Sendable () -> Void)?] = [:]
    private var last = 0
    private var granted = true

    var isGranted: Bool {
        get { lock.withLock { granted } }
        set { lock.withLock { granted = newValue } }
    }

    var count: Int { lock.withLock { open.count } }

    /// How many were ever begun.
    var begun: Int { lock.withLock { last } }

    func begin(_ handler: (@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier {
        lock.withLock {
            guard granted else { return .invalid }
            last += 1
            open[last] = .some(handler)
            return UIBackgroundTaskIdentifier(rawValue: last)
        }
    }

    func end(_ identifier: UIBackgroundTaskIdentifier) {
        let wasOpen = lock.withLock { open.removeValue(forKey: identifier.rawValue) != nil }
        if !wasOpen { AppleDevice.current.raise("endBackgroundTask of \(identifier.rawValue), which is not open") }
    }

    /// Time is up: every handler runs on main, and whatever is then still open gets the app killed.
    @MainActor
    func expireAll() {
        let handlers = lock.withLock { Array(open.values) }
        for case let handler? in handlers { handler() }
        if count > 0 { AppleDevice.current.raise("\(count) background task(s) not ended when time was up") }
    }
}
