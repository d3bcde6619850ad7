import HoldfastDomain

/// A calendar whose zones are fixed distances from UTC, without daylight saving.
public struct FixedCalendar: CivilCalendar {
    private let offsets: [String: Interval]

    /// A calendar that knows these zones, each as far ahead of UTC as given; by default `UTC` alone.
    public init(_ offsets: [String: Interval] = ["UTC": .zero]) { self.offsets = offsets }

    /// The day of `moment` in `zone`; nil for a zone it was not given.
    ///
    /// Turns days since 1970 into a date by the rule that 400 Gregorian years are 146 097 days, with the year taken
    /// to begin in March (Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
    public func day(of moment: Timestamp, in zone: String) -> CivilDay? {
        guard let offset = offsets[zone] else { return nil }
        let (days, remainder) = (moment + offset).milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let shifted = (remainder < 0 ? days - 1 : days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return CivilDay(
            year: Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)),
            month: Int(month),
            day: Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        )
    }
}
