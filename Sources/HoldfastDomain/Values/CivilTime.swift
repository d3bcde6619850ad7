/// A date and a time of day in UTC on the proleptic Gregorian calendar.
struct CivilTime {
    var day: CivilDay
    var hour: Int
    var minute: Int
    var second: Int

    /// The moment that this is, or nil if there is no such date or time.
    ///
    /// - Parameter offset: How many minutes its time zone is ahead of UTC.
    ///
    /// Second 60 is a leap second, so it exists only as 23:59:60 UTC at the end of a month; as timestamps do not
    /// count leap seconds, all of it is the last millisecond before, so that it stays on its day.
    func timestamp(millisecond: Int = 0, offset: Int = 0) -> Timestamp? {
        guard day.isReal, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second else { return nil }
        let minutes = (day.daysSinceEpoch * 24 + hour) * 60 + minute - offset
        guard second == 60 else {
            return Timestamp(milliseconds: Int64((minutes * 60 + second) * 1000 + millisecond))
        }
        let (days, minuteOfDay) = minutes.quotientAndRemainder(flooringBy: 1440)
        guard minuteOfDay == 1439, CivilDay(daysSinceEpoch: days + 1).day == 1 else { return nil }
        return Timestamp(milliseconds: Int64(minutes * 60 + 59) * 1000 + 999)
    }
}

extension CivilDay {
    /// Whether the calendar has this day, in the years 0 to 9999.
    var isReal: Bool {
        guard 0...9999 ~= year, 1...12 ~= month, day >= 1 else { return false }
        switch month {
        case 2: return day <= (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28)
        case 4, 6, 9, 11: return day <= 30
        default: return day <= 31
        }
    }

    /// How many days after 1970-01-01 a real day is.
    ///
    /// The year is counted from March, so that the leap day comes last; 146 097 days are 400 years.
    var daysSinceEpoch: Int {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = shifted.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day that comes `days` after 1970-01-01; `days` must be that of some timestamp.
    init(daysSinceEpoch days: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}

extension Timestamp {
    /// The day in UTC that the moment falls on.
    public var utcDay: CivilDay {
        CivilDay(daysSinceEpoch: Int(milliseconds.quotientAndRemainder(flooringBy: 86_400_000).quotient))
    }
}

extension SignedInteger where Self: FixedWidthInteger {
    /// Division that rounds toward the past, so that the remainder is never negative; `divisor` is above 0.
    func quotientAndRemainder(flooringBy divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
