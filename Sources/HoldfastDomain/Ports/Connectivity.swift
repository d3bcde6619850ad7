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

/// Knows whether there is a network, and tells of changes.
public protocol Connectivity: Sendable {
    /// The status now.
    func current() -> ConnectivityStatus
    /// Every change from now on, without repeats. Each call gives a stream of its own; it ends when it is no longer
    /// iterated.
    func changes() -> AsyncStream<ConnectivityStatus>
}
