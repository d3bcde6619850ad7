/// What the network is like now.
public struct ConnectivityStatus: Hashable, Sendable {
    /// Whether a request may get through.
    public var isReachable: Bool
    /// Whether the network costs money or battery (cellular, hotspot).
    public var isExpensive: Bool
    /// Whether the user asked for little data (Low Data Mode).
    public var isConstrained: Bool

    /// A status of these parts.
    public init(isReachable: Bool, isExpensive: Bool = false, isConstrained: Bool = false) {
        self.isReachable = isReachable
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }
}

/// Reports whether there is a network, and when that changes.
///
/// It keeps the platform's monitors out of the package. It advises, no more: a request may fail on a network that is
/// said to be there, and what is said not to be there is not used.
///
/// Use `NetlinkConnectivity` on Linux, `PathConnectivity` on Apple platforms, `SwitchableConnectivity` in tests. Write
/// one over any source of changes: `current()` must return at once, from any thread. Each call of `changes()` returns a
/// stream of its own, which begins with the next change. In a test:
///
/// ```swift
/// struct AlwaysOnline: Connectivity {
///     func current() -> ConnectivityStatus { ConnectivityStatus(isReachable: true) }
///     func changes() -> AsyncStream<ConnectivityStatus> { AsyncStream { $0.finish() } }
/// }
/// ```
///
/// A monitor promises, and `Conformance.connectivity` checks:
/// - `tells_each_change_once`: in order, and never the same status twice in a row.
/// - `current_follows_the_changes`: the last change is the current status.
/// - `each_stream_hears_every_change`: however many listen.
/// - `a_stream_that_ends_disturbs_no_other`: a listener may leave at any time.
public protocol Connectivity: Sendable {
    /// The status now.
    func current() -> ConnectivityStatus
    /// Every change from now on, without repeats. Each call gives a stream of its own; it ends when it is no longer
    /// iterated.
    func changes() -> AsyncStream<ConnectivityStatus>
}
