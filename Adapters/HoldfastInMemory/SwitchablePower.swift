import HoldfastDomain

/// A power supply that a test makes scarce or plentiful. Safe to use from any thread.
public final class SwitchablePower: PowerMonitor {
    private let status: Switch<PowerStatus>

    /// A supply in this state; by default there is plenty and it is cool.
    public init(_ status: PowerStatus = PowerStatus()) { self.status = Switch(status) }

    /// The status it was set to last.
    public func current() -> PowerStatus { status.value }

    /// Every later setting that differs from the one before.
    public func changes() -> AsyncStream<PowerStatus> { status.changes() }

    /// Makes the supply be like this.
    public func set(_ status: PowerStatus) { self.status.set(status) }
}
