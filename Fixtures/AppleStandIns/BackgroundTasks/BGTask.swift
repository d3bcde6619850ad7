import AppleDevice
import Foundation

/// A stand-in for one launch of a background task. Nothing but the scheduler makes one.
@available(iOS 13.0, *)
open class BGTask: NSObject {
    /// What the app calls the task.
    public let identifier: String
    private let lock = NSLock()
    private var handler: (() -> Void)?
    private var completions: [Bool] = []

    init(identifier: String) { self.identifier = identifier }

    /// Called when the time is up; set to nil after it ran.
    open var expirationHandler: (() -> Void)? {
        get { lock.withLock { handler } }
        set { lock.withLock { handler = newValue } }
    }

    /// Tells that the work is done; exactly once.
    open func setTaskCompleted(success: Bool) {
        let isSecond: Bool = lock.withLock {
            completions.append(success)
            handler = nil
            return completions.count > 1
        }
        if isSecond { AppleDevice.current.raise("setTaskCompleted called a second time") }
    }

    /// What the app said, call by call.
    @_spi(StandIn)
    public var completed: [Bool] { lock.withLock { completions } }

    /// The time is up. Without a handler the task counts as failed.
    @_spi(StandIn)
    public func expire() {
        let (handler, isDone): ((() -> Void)?, Bool) = lock.withLock {
            defer { self.handler = nil }
            return (self.handler, !completions.isEmpty)
        }
        guard !isDone else { return }
        if let handler { handler() } else { lock.withLock { completions.append(false) } }
    }
}

/// A short task that keeps the app's content fresh.
@available(iOS 13.0, *)
public final class BGAppRefreshTask: BGTask {}

/// A longer task, for when the device is idle.
@available(iOS 13.0, *)
public final class BGProcessingTask: BGTask {}

/// A wish to be launched.
@available(iOS 13.0, *)
open class BGTaskRequest: NSObject {
    /// What the app calls the task.
    public let identifier: String
    /// Not before this.
    open var earliestBeginDate: Date?
    init(name: String) { identifier = name }
}

/// A wish for a short task.
@available(iOS 13.0, *)
public final class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init(name: identifier) }
}

/// A wish for a longer task.
@available(iOS 13.0, *)
public final class BGProcessingTaskRequest: BGTaskRequest {
    /// Only with a network.
    public var requiresNetworkConnectivity = false
    /// Only at a charger.
    public var requiresExternalPower = false
    public init(identifier: String) { super.init(name: identifier) }
}
