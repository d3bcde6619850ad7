/// A day on the calendar of some time zone.
public struct CivilDay: Hashable, Comparable, Sendable {
    /// The proleptic Gregorian year.
    public var year: Int
    /// The month, 1 to 12.
    public var month: Int
    /// The day of the month, 1 to 31.
    public var day: Int

    /// The day with these numbers.
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Whether `lhs` is an earlier day.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
    }
}

/// Knows which civil day a moment falls on somewhere, for admission once per day.
///
/// It keeps time zones and their rules, which change by law, out of the domain.
///
/// Use `ZoneInfoCalendar` on Linux, `FoundationCalendar` on Apple platforms, `FixedCalendar` in tests. Write one over
/// any database of zones; it is called on the path of a scan, from any thread, so it must not load anything each time.
/// In a test:
///
/// ```swift
/// struct UTCCalendar: CivilCalendar {
///     func day(of moment: Timestamp, in zone: String) -> CivilDay? { zone == "UTC" ? moment.utcDay : nil }
/// }
/// ```
///
/// A calendar promises, and `Conformance.civilCalendar` and (the last) `Conformance.civilCalendarZones` check:
/// - `knows_the_days_of_utc`: by the proleptic Gregorian calendar, whatever the user's calendar is.
/// - `a_day_ends_with_its_last_millisecond`: midnight belongs to the day that begins.
/// - `an_unknown_zone_is_nil`: never a guess, and never a path that leads elsewhere.
/// - `no_moment_traps`: not even the first or the last of the range.
/// - `follows_daylight_saving`: each zone's own rules, at each moment.
public protocol CivilCalendar: Sendable {
    /// The day of `moment` in the IANA time zone called `zone`; nil if there is no such zone.
    func day(of moment: Timestamp, in zone: String) -> CivilDay?
}
