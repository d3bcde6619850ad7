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

/// Reads the time: the wall clock, and beside it a monotonic clock that nobody can set.
///
/// It keeps the system's clocks out of the domain, whose rules take the time as an argument; and it gives them what
/// they need to notice that somebody has set the wall clock.
///
/// Use `SystemClock`, or `ManualClock` in tests. Write one over a wall clock in UTC, a monotonic clock that runs on
/// while the device sleeps (not one that stops, as `CLOCK_MONOTONIC` does), and a name that changes with each boot. It
/// is read from any thread on the path of a scan. In a test:
///
/// ```swift
/// struct StoppedClock: DeviceClock {
///     var reading = ClockReading(wall: Timestamp(milliseconds: 0), uptime: .zero, boot: BootID("test"))
///     func now() -> ClockReading { reading }
/// }
/// ```
///
/// A clock promises, and `Conformance.deviceClock` checks:
/// - `uptime_never_goes_back`: within one boot, whatever happens to the wall clock.
/// - `time_passes`: on both clocks, as fast as it does.
/// - `one_boot_has_one_name`: which is not empty; another boot has another.
/// - `many_may_read_at_once`: from any thread.
public protocol DeviceClock: Sendable {
    /// All three clocks, read together.
    func now() -> ClockReading
}
