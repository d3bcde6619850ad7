extension Timestamp: CustomStringConvertible {
    /// Reads a date and time as RFC 3339, section 5.6, writes it: `2026-05-01T18:30:00.250+03:00`.
    ///
    /// The offset is required, `Z` or `±hh:mm`; `t` and `z` may be lower case (the note in that section), the `T` may
    /// not be a space. Any number of fraction digits is taken; what is finer than a millisecond is cut off toward the
    /// past. The date must exist. A leap second is taken at 23:59:60 UTC at the end of a month and read as the
    /// millisecond before it ends the day. Anything before or after, and digits other than ASCII, give nil.
    public init?(rfc3339 text: String) {
        guard let moment = ASCIIScanner.scan(text, { Timestamp(rfc3339: &$0) }) else { return nil }
        self = moment
    }

    init?(rfc3339 scanner: inout ASCIIScanner) {
        guard let year = scanner.number(digits: 4), scanner.take("-"),
            let month = scanner.number(digits: 2), scanner.take("-"),
            let day = scanner.number(digits: 2), scanner.take("T") || scanner.take("t"),
            let hour = scanner.number(digits: 2), scanner.take(":"),
            let minute = scanner.number(digits: 2), scanner.take(":"),
            let second = scanner.number(digits: 2),
            let millisecond = Self.fraction(&scanner),
            let offset = Self.offset(&scanner), scanner.isAtEnd
        else { return nil }
        let civil = CivilTime(
            day: CivilDay(year: year, month: month, day: day),
            hour: hour,
            minute: minute,
            second: second
        )
        guard let moment = civil.timestamp(millisecond: millisecond, offset: offset) else { return nil }
        self = moment
    }

    private static func fraction(_ scanner: inout ASCIIScanner) -> Int? {
        guard scanner.take(".") else { return 0 }
        guard let tenths = scanner.digit() else { return nil }
        let hundredths = scanner.digit()
        let thousandths = hundredths.flatMap { _ in scanner.digit() }
        while scanner.digit() != nil {}
        return tenths * 100 + (hundredths ?? 0) * 10 + (thousandths ?? 0)
    }

    private static func offset(_ scanner: inout ASCIIScanner) -> Int? {
        if scanner.take("Z") || scanner.take("z") { return 0 }
        let isAhead = scanner.take("+")
        guard isAhead || scanner.take("-"), let hours = scanner.number(digits: 2), hours < 24, scanner.take(":"),
            let minutes = scanner.number(digits: 2), minutes < 60
        else { return nil }
        return (isAhead ? 1 : -1) * (hours * 60 + minutes)
    }

    /// The moment as `YYYY-MM-DDTHH:MM:SS.mmmZ`, in UTC.
    ///
    /// Four digits tell the years 0 to 9999 only: any earlier moment is written as the first millisecond of year 0,
    /// any later one as the last of year 9999.
    public var rfc3339: String {
        let clamped = min(max(milliseconds, Self.firstInRFC3339.milliseconds), Self.lastInRFC3339.milliseconds)
        let (days, millisecondOfDay) = Int(clamped).quotientAndRemainder(flooringBy: 86_400_000)
        let day = CivilDay(daysSinceEpoch: days)
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            func write(_ number: Int, digits: Int, before separator: Unicode.Scalar) {
                var number = number
                for place in stride(from: end + digits - 1, through: end, by: -1) {
                    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
                    number /= 10
                }
                text[end + digits] = UInt8(ascii: separator)
                end += digits + 1
            }
            write(day.year, digits: 4, before: "-")
            write(day.month, digits: 2, before: "-")
            write(day.day, digits: 2, before: "T")
            write(millisecondOfDay / 3_600_000, digits: 2, before: ":")
            write(millisecondOfDay / 60_000 % 60, digits: 2, before: ":")
            write(millisecondOfDay / 1000 % 60, digits: 2, before: ".")
            write(millisecondOfDay % 1000, digits: 3, before: "Z")
            return end
        }
    }

    /// The moment as `rfc3339`, or in milliseconds where four digits cannot tell the year.
    public var description: String {
        (Self.firstInRFC3339...Self.lastInRFC3339).contains(self) ? rfc3339 : "\(milliseconds) ms"
    }

    /// 0000-01-01T00:00:00.000Z
    static let firstInRFC3339 = Timestamp(milliseconds: -62_167_219_200_000)
    /// 9999-12-31T23:59:59.999Z
    static let lastInRFC3339 = Timestamp(milliseconds: 253_402_300_799_999)
}
