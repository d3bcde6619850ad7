import AppleDevice
import Foundation

/// A stand-in for the scheduler, with its rules: what is not in Info.plist is refused, what is registered late or
/// twice ends the process, one refresh and ten processing requests may wait, and a request replaces an earlier one of
/// its name.
/// `@unchecked`: its state is read and written under the lock.
@available(iOS 13.0, *)
public final class BGTaskScheduler: NSObject, @unchecked Sendable {
    /// Why a request was refused.
    public struct Error: Swift.Error, Sendable {
        public enum Code: Int, Sendable {
            case unavailable = 1
            case tooManyPendingTaskRequests = 2
            case notPermitted = 3
        }
        public let code: Code
        init(_ code: Code) { self.code = code }
    }

    /// The one scheduler of this process.
    public static let shared = BGTaskScheduler()

    private let lock = NSLock()
    private let queue = DispatchQueue(label: "com.apple.BGTaskScheduler")
    private var state = State()

    private struct State {
        var permitted: Set<String> = []
        var hasLaunched = false
        var isAvailable = true
        var handlers: [String: (queue: DispatchQueue?, run: (BGTask) -> Void)] = [:]
        var pending: [BGTaskRequest] = []
    }

    private override init() {}

    /// Says what to run when a task is launched; before the launch of the app ends, and once for each identifier.
    @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        let (answer, exception): (Bool, String?) = lock.withLock {
            guard state.permitted.contains(identifier) else { return (false, nil) }
            if state.hasLaunched {
                return (false, "All launch handlers must be registered before application finishes launching")
            }
            if state.handlers[identifier] != nil {
                return (false, "Launch handler for task with identifier \(identifier) has already been registered")
            }
            state.handlers[identifier] = (queue, launchHandler)
            return (true, nil)
        }
        if let exception { AppleDevice.current.raise("NSInternalInconsistencyException: \(exception)") }
        return answer
    }

    /// Asks to be launched.
    public func submit(_ taskRequest: BGTaskRequest) throws {
        AppleDevice.current.expectOffMain("BGTaskScheduler.submit")
        let isRegistered = lock.withLock { state.handlers[taskRequest.identifier] != nil }
        if !isRegistered {
            AppleDevice.current.raise("No launch handler registered for task with identifier \(taskRequest.identifier)")
        }
        try lock.withLock {
            guard state.isAvailable else { throw Error(.unavailable) }
            guard state.permitted.contains(taskRequest.identifier) else { throw Error(.notPermitted) }
            let others = state.pending.filter { $0.identifier != taskRequest.identifier }
            let isRefresh = taskRequest is BGAppRefreshTaskRequest
            let rivals = others.filter { ($0 is BGAppRefreshTaskRequest) == isRefresh }
            guard rivals.count < (isRefresh ? 1 : 10) else { throw Error(.tooManyPendingTaskRequests) }
            state.pending = others + [taskRequest]
        }
    }

    /// Takes a request back.
    public func cancel(taskRequestWithIdentifier identifier: String) {
        lock.withLock { state.pending.removeAll { $0.identifier == identifier } }
    }
}

// MARK: - For tests

@_spi(StandIn)
@available(iOS 13.0, *)
extension BGTaskScheduler {
    /// A new process: nothing is registered, nothing waits, and these may be.
    public func reset(permitted: Set<String>) {
        lock.withLock {
            state = State()
            state.permitted = permitted
        }
    }

    /// The launch of the app has ended.
    public func finishLaunching() { lock.withLock { state.hasLaunched = true } }

    /// Whether Background App Refresh is on; off in the Simulator.
    public var isAvailable: Bool {
        get { lock.withLock { state.isAvailable } }
        set { lock.withLock { state.isAvailable = newValue } }
    }

    /// What waits to be launched.
    public var pending: [BGTaskRequest] { lock.withLock { state.pending } }

    /// Takes in requests of others, as an app with many tasks has them.
    public func fill(_ requests: [BGTaskRequest]) { lock.withLock { state.pending += requests } }

    /// What can be launched.
    public var registered: Set<String> { lock.withLock { Set(state.handlers.keys) } }

    /// Launches a task that waits, on the queue it was registered with or on the scheduler's own, never on main.
    public func launch(_ identifier: String) -> BGTask? {
        let found: (request: BGTaskRequest, queue: DispatchQueue?, run: (BGTask) -> Void)? = lock.withLock {
            guard let index = state.pending.firstIndex(where: { $0.identifier == identifier }),
                let handler = state.handlers[identifier]
            else { return nil }
            return (state.pending.remove(at: index), handler.queue, handler.run)
        }
        guard let found else { return nil }
        let isRefresh = found.request is BGAppRefreshTaskRequest
        let task = isRefresh ? BGAppRefreshTask(identifier: identifier) : BGProcessingTask(identifier: identifier)
        // Not `sync`, which would run it on the calling thread.
        let launch = Launch(run: found.run, task: task)
        let isOver = DispatchSemaphore(value: 0)
        (found.queue ?? queue).async {
            launch.run(launch.task)
            isOver.signal()
        }
        isOver.wait()
        return task
    }
}

/// `@unchecked`: one thread waits while the other runs it.
private struct Launch: @unchecked Sendable {
    let run: (BGTask) -> Void
    let task: BGTask
}
