import HoldfastDomain

/// A network that a test switches on and off. Safe to use from any thread.
public final class SwitchableConnectivity: Connectivity {
    private let status: Switch<ConnectivityStatus>

    /// A network in this state; by default there is one.
    public init(_ status: ConnectivityStatus = ConnectivityStatus(isReachable: true)) { self.status = Switch(status) }

    /// The status it was set to last.
    public func current() -> ConnectivityStatus { status.value }

    /// Every later setting that differs from the one before.
    public func changes() -> AsyncStream<ConnectivityStatus> { status.changes() }

    /// Makes the network be like this.
    public func set(_ status: ConnectivityStatus) { self.status.set(status) }

    /// Makes the network be there, neither expensive nor constrained, or not be there.
    public func set(reachable: Bool) { set(ConnectivityStatus(isReachable: reachable)) }
}
