import HoldfastDomain

/// The rule for the times to come, such as `EET-2EEST,M3.5.0/3,M10.5.0/4` (POSIX.1-2017, section 8.3; RFC 8536, 3.3).
struct TimeZoneRule: Hashable {
    private var standard: Int64 = 0
    private var summer: Summer?

    private struct Summer: Hashable {
        var offset: Int64
        var begins: Date
        var ends: Date
    }

    private enum Day: Hashable {
        /// The day of the year from 1 to 365; 29 February is never counted.
        case julian(Int)
        /// The day of the year from 0.
        case ordinal(Int)
        /// The `week`th `weekday` (0 is Sunday) of `month`; the fifth is the last.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    private struct Date: Hashable {
        var day: Day
        var seconds: Int64
    }

    /// Reads a rule; nil for anything else.
    init?(_ text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard reader.name(), let west = reader.time() else { return nil }
        standard = -west
        guard !reader.rest.isEmpty else { return }
        guard reader.name() else { return nil }
        var offset = standard + 3600
        if reader.rest.first != UInt8(ascii: ",") {
            guard let west = reader.time() else { return nil }
            offset = -west
        }
        guard let begins = Self.date(&reader), let ends = Self.date(&reader), reader.rest.isEmpty else { return nil }
        summer = Summer(offset: offset, begins: begins, ends: ends)
    }

    /// How many seconds the zone is ahead of UTC at a moment, in seconds since 1970.
    func offset(at moment: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = (Timestamp(milliseconds: 0) + .seconds(moment) + .seconds(standard)).utcDay.year
        let begins = Self.seconds(of: summer.begins, in: year) - standard
        let ends = Self.seconds(of: summer.ends, in: year) - summer.offset
        let isSummer = begins < ends ? begins <= moment && moment < ends : !(ends <= moment && moment < begins)
        return isSummer ? summer.offset : standard
    }

    /// The local time of a change, in seconds since 1970.
    private static func seconds(of date: Date, in year: Int) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let past = year - 1
        let newYear = past * 365 + past / 4 - past / 100 + past / 400 - 719_162
        let days: Int
        switch date.day {
        case .julian(let day): days = newYear + day - (isLeap && day > 59 ? 0 : 1)
        case .ordinal(let day): days = newYear + day
        case .weekday(let month, let week, let weekday):
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            let first = newYear + lengths.prefix(month - 1).reduce(0, +)
            // 1 January 1970 was a Thursday.
            let day = (weekday - (first + 4) % 7 + 7) % 7 + (week - 1) * 7
            days = first + (day < lengths[month - 1] ? day : day - 7)
        }
        return Int64(days) * 86400 + date.seconds
    }

    private static func date(_ reader: inout Reader) -> Date? {
        guard reader.take(",") else { return nil }
        let day: Day?
        if reader.take("M") {
            let month = reader.number(1...12)
            let week = reader.take(".") ? reader.number(1...5) : nil
            let weekday = reader.take(".") ? reader.number(0...6) : nil
            day = month.flatMap { month in
                week.flatMap { week in weekday.map { .weekday(month: month, week: week, weekday: $0) } }
            }
        } else if reader.take("J") {
            day = reader.number(1...365).map { .julian($0) }
        } else {
            day = reader.number(0...365).map { .ordinal($0) }
        }
        let seconds = reader.take("/") ? reader.time() : 7200
        guard let day, let seconds else { return nil }
        return Date(day: day, seconds: seconds)
    }
}

/// Takes a rule apart from its front.
private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// The name of a time, such as `EET` or `<+03>`, which does not matter here.
    mutating func name() -> Bool {
        if take("<") {
            rest = rest.drop { $0 != UInt8(ascii: ">") }
            return take(">")
        }
        let before = rest.count
        rest = rest.drop { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xdf) }
        return before - rest.count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
        return range.contains(value) ? value : nil
    }

    /// `[+|-]hh[:mm[:ss]]` in seconds.
    mutating func time() -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(0...167), let minutes = take(":") ? number(0...59) : 0,
            let seconds = take(":") ? number(0...59) : 0
        else { return nil }
        let total = Int64((hours * 60 + minutes) * 60 + seconds)
        return isNegative ? -total : total
    }
}
