/// One look at the device's clocks, taken at one instant.
public struct ClockReading: Hashable, Sendable {
    /// What the wall clock says. A person or a network can set it, forwards or back.
    public var wall: Timestamp
    /// Time since the device started, running on while it sleeps. Never goes back within one boot.
    public var uptime: Interval
    /// Which boot `uptime` counts from.
    public var boot: BootID

    /// A reading of these three.
    public init(wall: Timestamp, uptime: Interval, boot: BootID) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }
}

/// Names one boot of the device: readings with equal ids share one monotonic clock.
public struct BootID: Hashable, Sendable {
    /// The platform's own name for the boot, such as Linux's `boot_id`.
    public var rawValue: String

    /// The boot with this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Tells the time, honestly: the wall clock beside a clock that nobody can set.
public protocol DeviceClock: Sendable {
    /// All three clocks, read together.
    func now() -> ClockReading
}
