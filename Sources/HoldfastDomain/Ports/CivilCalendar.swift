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
public protocol CivilCalendar: Sendable {
    /// The day of `moment` in the IANA time zone called `zone`; nil if there is no such zone.
    func day(of moment: Timestamp, in zone: String) -> CivilDay?
}
