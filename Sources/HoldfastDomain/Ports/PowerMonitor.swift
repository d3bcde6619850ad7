/// How freely energy may be spent now.
public struct PowerStatus: Hashable, Sendable {
    /// Whether the user or the system asked to save power.
    public var isLowPower: Bool
    /// Whether the device is hot enough that work should wait.
    public var isUnderThermalPressure: Bool

    /// A status of these parts.
    public init(isLowPower: Bool = false, isUnderThermalPressure: Bool = false) {
        self.isLowPower = isLowPower
        self.isUnderThermalPressure = isUnderThermalPressure
    }
}

/// Knows whether power is to be saved, and tells of changes.
public protocol PowerMonitor: Sendable {
    /// The status now.
    func current() -> PowerStatus
    /// Every change from now on, without repeats. Each call gives a stream of its own.
    func changes() -> AsyncStream<PowerStatus>
}
