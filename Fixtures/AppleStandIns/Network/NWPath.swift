/// A stand-in for Network's picture of the network.
@available(iOS 12.0, macOS 10.14, *)
public struct NWPath: Equatable, Sendable {
    /// Whether the path can be used.
    public enum Status: Sendable {
        /// It can.
        case satisfied
        /// It cannot.
        case unsatisfied
        /// It might, once something connects.
        case requiresConnection
    }

    /// Whether it can be used.
    public let status: Status
    /// Whether it is cellular or a hotspot.
    public let isExpensive: Bool
    /// Whether it is in Low Data Mode.
    @available(iOS 13.0, macOS 10.15, *)
    public var isConstrained: Bool { heldConstrained }
    private let heldConstrained: Bool

    /// A path of these parts.
    @_spi(StandIn)
    public init(_ status: Status, isExpensive: Bool = false, isConstrained: Bool = false) {
        self.status = status
        self.isExpensive = isExpensive
        heldConstrained = isConstrained
    }
}
