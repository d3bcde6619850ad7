import Glibc
import HoldfastDomain

/// The device's own clocks: `CLOCK_REALTIME`, `CLOCK_BOOTTIME` (which runs on in suspend) and the kernel's `boot_id`.
public struct SystemClock: DeviceClock {
    private let boot: BootID

    /// Reads the kernel's boot id once; it cannot change while the process lives.
    ///
    /// Where it cannot be read, the clock is its own boot: then no uptime is ever compared with another process's.
    public init() {
        boot = BootID(Self.bootID() ?? "unknown-\(String(SystemRandom().next(), radix: 16))")
    }

    /// All three clocks, read together.
    public func now() -> ClockReading {
        ClockReading(
            wall: Timestamp(milliseconds: Self.read(CLOCK_REALTIME).milliseconds),
            uptime: Self.read(CLOCK_BOOTTIME),
            boot: boot
        )
    }

    private static func read(_ clock: clockid_t) -> Interval {
        var time = timespec()
        // The call fails only for an unknown clock or a bad pointer; neither can be here.
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .milliseconds(Int64(time.tv_nsec) / 1_000_000)
    }

    private static func bootID() -> String? {
        let line = TextFile.firstLine(of: "/proc/sys/kernel/random/boot_id")
        return line?.isEmpty == false ? line : nil
    }
}
