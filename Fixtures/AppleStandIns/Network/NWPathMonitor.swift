import AppleDevice
import Dispatch
import Foundation

/// A stand-in for Network's monitor: delivers the first path soon after `start`, on the queue; nothing before it or
/// after `cancel`; a started one lives until cancelled.
/// `@unchecked`: its state is read and written under the lock.
@available(iOS 12.0, macOS 10.14, *)
public final class NWPathMonitor: @unchecked Sendable {
    private let lock = NSLock()
    private var handler: (@Sendable (NWPath) -> Void)?
    private var path = NWPath(.satisfied)
    private var heldQueue: DispatchQueue?
    private var isCancelled = false

    /// A monitor of all interfaces.
    public init() { StandInNetwork.current.add(self) }

    /// Called with each path, on the queue given to `start`.
    @preconcurrency
    public final var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { lock.withLock { handler } }
        set { lock.withLock { handler = newValue } }
    }

    /// The path now; not to be relied on before the first update.
    public final var currentPath: NWPath { lock.withLock { path } }

    /// Starts, once.
    public final func start(queue: DispatchQueue) {
        let isSecond: Bool = lock.withLock {
            defer { heldQueue = queue }
            return heldQueue != nil || isCancelled
        }
        guard !isSecond else { return AppleDevice.current.raise("NWPathMonitor started a second time") }
        deliver(StandInNetwork.current.path)
    }

    /// Ends all delivery.
    public final func cancel() {
        lock.withLock { isCancelled = true }
        StandInNetwork.current.remove(self)
    }

    func deliver(_ new: NWPath) {
        let queue: DispatchQueue? = lock.withLock { isCancelled ? nil : heldQueue }
        queue?.async { [self] in
            let handler: (@Sendable (NWPath) -> Void)? = lock.withLock {
                path = new
                return isCancelled ? nil : self.handler
            }
            handler?(new)
        }
    }
}

/// The network of the pretended device.
/// `@unchecked`: its state is read and written under the lock.
@_spi(StandIn)
public final class StandInNetwork: @unchecked Sendable {
    /// The one network of this process.
    public static let current = StandInNetwork()

    private let lock = NSLock()
    private var monitors: [NWPathMonitor] = []
    private var heldPath = NWPath(.satisfied)

    private init() {}

    /// The path that monitors are told of.
    public var path: NWPath { lock.withLock { heldPath } }

    /// How many monitors were started and not cancelled, or made and not started.
    public var monitorCount: Int { lock.withLock { monitors.count } }

    /// Changes the path and tells every monitor, even of the same path again.
    public func send(_ path: NWPath) {
        let told: [NWPathMonitor] = lock.withLock {
            heldPath = path
            return monitors
        }
        for monitor in told { monitor.deliver(path) }
    }

    func add(_ monitor: NWPathMonitor) { lock.withLock { monitors.append(monitor) } }
    func remove(_ monitor: NWPathMonitor) { lock.withLock { monitors.removeAll { $0 === monitor } } }
}
