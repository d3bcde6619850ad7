import HoldfastDomain

extension Conformance {
    /// The promises of `CivilCalendar`, but for `follows_daylight_saving`: see `civilCalendarZones`.
    public static let civilCalendar = ConformanceSuite<any CivilCalendar>([
        .init("knows_the_days_of_utc") { calendar in
            for (seconds, day) in utcDays {
                let found = calendar.day(of: Timestamp(milliseconds: seconds * 1000), in: "UTC")
                try promise(found == day, "second \(seconds) is on another day: \(String(describing: found))")
            }
        },
        .init("a_day_ends_with_its_last_millisecond") { calendar in
            let midnight = Timestamp(milliseconds: 1_777_593_600_000)
            let last = calendar.day(of: midnight - .milliseconds(1), in: "UTC")
            let first = calendar.day(of: midnight, in: "UTC")
            try promise(
                last == CivilDay(year: 2026, month: 4, day: 30),
                "a millisecond before midnight is \(String(describing: last))"
            )
            try promise(first == CivilDay(year: 2026, month: 5, day: 1), "midnight is \(String(describing: first))")
        },
        .init("an_unknown_zone_is_nil") { calendar in
            for zone in ["", "Europe/Atlantis", "utc ", "../UTC", "Europe", String(repeating: "z", count: 5000)] {
                let day = calendar.day(of: Timestamp(milliseconds: 0), in: zone)
                try promise(day == nil, "a zone that does not exist has a day")
            }
        },
        .init("no_moment_traps") { calendar in
            for moment in [
                Timestamp.distantPast, .distantFuture, Timestamp(milliseconds: .min + 1), Timestamp(milliseconds: -1),
            ] {
                _ = calendar.day(of: moment, in: "UTC")
            }
        },
    ])

    /// That a `CivilCalendar` knows the world's time zones. Fixed fakes break it.
    public static let civilCalendarZones = ConformanceSuite<any CivilCalendar>([
        .init("follows_daylight_saving") { calendar in
            // Kyiv is 2 hours ahead of UTC in winter and 3 from 2026-03-29 01:00 UTC on; New York is 5 and 4 behind,
            // from 2026-03-08 07:00 UTC on; Kathmandu is always 5:45 ahead.
            let moments: [(String, Int64, CivilDay)] = [
                ("Europe/Kyiv", 1_767_218_399, CivilDay(year: 2025, month: 12, day: 31)),
                ("Europe/Kyiv", 1_767_218_400, CivilDay(year: 2026, month: 1, day: 1)),
                ("Europe/Kyiv", 1_782_853_199, CivilDay(year: 2026, month: 6, day: 30)),
                ("Europe/Kyiv", 1_782_853_200, CivilDay(year: 2026, month: 7, day: 1)),
                ("America/New_York", 1_782_878_399, CivilDay(year: 2026, month: 6, day: 30)),
                ("America/New_York", 1_782_878_400, CivilDay(year: 2026, month: 7, day: 1)),
                ("Asia/Kathmandu", 1_782_843_299, CivilDay(year: 2026, month: 6, day: 30)),
                ("Asia/Kathmandu", 1_782_843_300, CivilDay(year: 2026, month: 7, day: 1)),
            ]
            for (zone, seconds, day) in moments {
                let found = calendar.day(of: Timestamp(milliseconds: seconds * 1000), in: zone)
                try promise(found == day, "second \(seconds) in \(zone) is \(String(describing: found))")
            }
        }
    ])

    /// Days at the edges of months, years, leap years and centuries, by `date -u +%s`.
    private static let utcDays: [(Int64, CivilDay)] = [
        (0, CivilDay(year: 1970, month: 1, day: 1)), (-1, CivilDay(year: 1969, month: 12, day: 31)),
        (951_782_399, CivilDay(year: 2000, month: 2, day: 28)), (951_782_400, CivilDay(year: 2000, month: 2, day: 29)),
        (951_868_800, CivilDay(year: 2000, month: 3, day: 1)), (1_709_164_800, CivilDay(year: 2024, month: 2, day: 29)),
        (1_767_225_599, CivilDay(year: 2025, month: 12, day: 31)),
        (1_767_225_600, CivilDay(year: 2026, month: 1, day: 1)),
        (4_107_542_400, CivilDay(year: 2100, month: 3, day: 1)),
        (-2_203_891_200, CivilDay(year: 1900, month: 3, day: 1)),
    ]
}
