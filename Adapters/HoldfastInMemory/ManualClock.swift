import HoldfastDomain

/// A clock that stands still until it is told to move. Safe to use from any thread.
///
/// ```swift
/// let clock = ManualClock()
/// clock.advance(by: .minutes(5))                    // time passes
/// clock.setWall(clock.now().wall - .hours(1))       // somebody sets the wall clock back
/// clock.reboot(after: .seconds(40))                 // the device restarts: uptime counts anew under another boot id
/// ```
public final class ManualClock: DeviceClock {
    private struct State {
        var reading: ClockReading
        var boots: Int
    }

    private let state: Locked<State>

    /// A clock that shows these times; by default noon on 1 May 2026, UTC, one hour after the first boot.
    public init(
        wall: Timestamp = Timestamp(milliseconds: 1_777_636_800_000),
        uptime: Interval = .hours(1),
        boot: BootID = BootID("boot-1")
    ) {
        state = Locked(State(reading: ClockReading(wall: wall, uptime: uptime, boot: boot), boots: 1))
    }

    /// What the clock shows.
    public func now() -> ClockReading { state.withLock { $0.reading } }

    /// Lets time pass, on the wall and in uptime alike. A negative interval is ignored: time does not run back.
    public func advance(by interval: Interval) {
        guard interval > .zero else { return }
        state.withLock {
            $0.reading.wall = $0.reading.wall + interval
            $0.reading.uptime = $0.reading.uptime + interval
        }
    }

    /// Sets the wall clock, forwards or back, as a person or a network would; uptime is not touched.
    public func setWall(_ wall: Timestamp) { state.withLock { $0.reading.wall = wall } }

    /// Restarts the device: the wall clock has gone on by `interval`, uptime begins at zero under a new boot id.
    public func reboot(after interval: Interval = .zero) {
        state.withLock {
            $0.boots += 1
            $0.reading = ClockReading(
                wall: $0.reading.wall + interval,
                uptime: .zero,
                boot: BootID("boot-\($0.boots)")
            )
        }
    }
}
