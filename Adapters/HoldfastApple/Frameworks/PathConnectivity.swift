#if canImport(Network)
import Dispatch
import HoldfastDomain
import Network

/// Whether there is a network, by `NWPathMonitor`.
///
/// The answer is a hint for when to try, never a promise that a server can be reached: a captive portal is
/// "satisfied". It watches from its making until nobody holds it any more. Safe from any thread.
/// `@unchecked`: the monitor is set up in `init` and cancelled in `deinit`; in between only the system touches it.
public final class PathConnectivity: Connectivity, @unchecked Sendable {
    private let monitor = NWPathMonitor()
    private let status = ChangeBroadcast(ConnectivityStatus.unknown)

    /// Starts watching.
    public init() {
        // Set before the start, for the first path comes soon after it. The handler does not hold this object, or a
        // started monitor would keep it for ever.
        monitor.pathUpdateHandler = { [status] path in status.send(ConnectivityStatus(path: PathFacts(path))) }
        monitor.start(queue: DispatchQueue(label: "holdfast.connectivity"))
    }

    deinit { monitor.cancel() }

    /// The status now; *reachable* until the system has told more.
    public func current() -> ConnectivityStatus { status.current }

    /// Every change from now on.
    public func changes() -> AsyncStream<ConnectivityStatus> { status.changes() }
}

extension PathFacts {
    init(_ path: NWPath) {
        switch path.status {
        case .satisfied: status = .satisfied
        case .requiresConnection: status = .requiresConnection
        case .unsatisfied: status = .unsatisfied
        @unknown default: status = .satisfied
        }
        isExpensive = path.isExpensive
        isConstrained = path.isConstrained
    }
}
#endif
