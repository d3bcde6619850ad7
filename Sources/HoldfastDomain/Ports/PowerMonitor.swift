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

/// Reports whether power is to be saved, and when that changes.
///
/// It keeps batteries, thermal sensors and the user's Low Power Mode out of the package, which then works less often in
/// the background.
///
/// Use `SysfsPower` on Linux, `ProcessInfoPower` on Apple platforms, `SwitchablePower` in tests. Write one as for
/// `Connectivity`. In a test:
///
/// ```swift
/// struct PluggedIn: PowerMonitor {
///     func current() -> PowerStatus { PowerStatus() }
///     func changes() -> AsyncStream<PowerStatus> { AsyncStream { $0.finish() } }
/// }
/// ```
///
/// A monitor promises, and `Conformance.powerMonitor` checks:
/// - `tells_each_change_once`: in order, and never the same status twice in a row.
/// - `current_follows_the_changes`: the last change is the current status.
/// - `each_stream_hears_every_change`: however many listen.
/// - `a_stream_that_ends_disturbs_no_other`: a listener may leave at any time.
public protocol PowerMonitor: Sendable {
    /// The status now.
    func current() -> PowerStatus
    /// Every change from now on, without repeats. Each call gives a stream of its own.
    func changes() -> AsyncStream<PowerStatus>
}
