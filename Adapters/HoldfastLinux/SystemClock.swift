import Glibc
import HoldfastDomain

/// The device's own clocks: `CLOCK_REALTIME`, `CLOCK_BOOTTIME` (which runs on in suspend) and the kernel's `boot_id`.
public struct SystemClock: DeviceClock {
    private let boot: BootID

    /// Reads the kernel's boot id once; it cannot change while the process lives.
    public init() {
        boot = BootID(Self.firstLine(of: "/proc/sys/kernel/random/boot_id") ?? "unknown")
    }

    /// All three clocks, read together.
    public func now() -> ClockReading {
        ClockReading(
            wall: Timestamp(milliseconds: Self.milliseconds(CLOCK_REALTIME)),
            uptime: Interval(milliseconds: Self.milliseconds(CLOCK_BOOTTIME)),
            boot: boot
        )
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // The call fails only for an unknown clock or a bad pointer; neither can be here.
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func firstLine(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = fread(&buffer, 1, buffer.count, file)
        let line = buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
