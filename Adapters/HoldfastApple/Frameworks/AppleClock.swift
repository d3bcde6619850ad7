#if canImport(Darwin) || canImport(AppleFoundation)
#if canImport(AppleFoundation)
import AppleFoundation
#endif
import Foundation
import HoldfastDomain

/// The device's own clocks: the wall clock, the clock that runs on while the device sleeps, and the name of the boot.
///
/// None of what it calls is a required-reason API: not the system's uptime, and not `mach_absolute_time`, which stands
/// still while the device sleeps (clock_gettime(3): `CLOCK_MONOTONIC_RAW` goes on). Safe from any thread.
public struct AppleClock: DeviceClock {
    private let boot: BootID

    /// Asks for the name of the boot once; it cannot change while the process lives.
    public init() {
        let session = Self.systemText("kern.bootsessionuuid")
        boot = BootID(BootIdentity.name(session: session, process: UUID().uuidString.lowercased()))
    }

    /// All three clocks, read together.
    public func now() -> ClockReading {
        ClockReading(
            wall: Timestamp(milliseconds: Self.milliseconds(CLOCK_REALTIME)),
            uptime: Interval(milliseconds: Self.milliseconds(CLOCK_MONOTONIC_RAW)),
            boot: boot
        )
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // The call fails only for an unknown clock or a bad pointer; neither can be here.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    /// A text that the kernel knows by this name; nil if it does not tell.
    private static func systemText(_ name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 128)
        var count = buffer.count
        guard sysctlbyname(name, &buffer, &count, nil, 0) == 0, count <= buffer.count else { return nil }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
#endif
