import HoldfastDomain

extension Conformance {
    /// A clock, and the means to let time pass.
    public struct ClockSubject: Sendable {
        let clock: any DeviceClock
        let pass: @Sendable (Interval) async throws -> Void

        /// - Parameters:
        ///   - clock: The clock.
        ///   - pass: Lets at least so much time pass: by moving a fake, or by really waiting.
        public init(_ clock: any DeviceClock, pass: @escaping @Sendable (Interval) async throws -> Void) {
            self.clock = clock
            self.pass = pass
        }
    }

    /// The promises of `DeviceClock`.
    public static let deviceClock = ConformanceSuite<ClockSubject>([
        .init("uptime_never_goes_back") { subject in
            var last = subject.clock.now()
            try promise(last.uptime >= .zero, "uptime is negative")
            for _ in 0..<1000 {
                let reading = subject.clock.now()
                try promise(reading.uptime >= last.uptime, "uptime went back")
                last = reading
            }
        },
        .init("time_passes") { subject in
            let before = subject.clock.now()
            try await subject.pass(.milliseconds(20))
            let after = subject.clock.now()
            // Readings are cut to whole milliseconds, so that one may be missing.
            try promise(after.uptime - before.uptime >= .milliseconds(19), "20 ms passed, and uptime did not follow")
            try promise(after.wall != before.wall, "20 ms passed, and the wall clock stood still")
        },
        .init("one_boot_has_one_name") { subject in
            let before = subject.clock.now().boot
            try await subject.pass(.milliseconds(1))
            try promise(!before.rawValue.isEmpty, "the boot has no name")
            try promise(subject.clock.now().boot == before, "the boot's name changed")
        },
        .init("many_may_read_at_once") { subject in
            let start = subject.clock.now().uptime
            let wentBack = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { (0..<200).contains { _ in subject.clock.now().uptime < start } } }
                return await group.contains(true)
            }
            try promise(!wentBack, "uptime went back on another thread")
        },
    ])
}
