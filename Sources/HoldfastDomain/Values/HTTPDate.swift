/// Dates as HTTP writes them (RFC 9110, section 5.6.7). All are GMT, whatever the device's zone.
public enum HTTPDate {
    private static let dayNames: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDayNames: [StaticString] = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let monthNames: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads any of the three forms:
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT
    ///     Sunday, 06-Nov-94 08:49:37 GMT
    ///     Sun Nov  6 08:49:37 1994
    ///
    /// Beyond the grammar, the day may have one digit and the zone may be called `UTC`, as some servers write them. The
    /// name of the weekday says nothing that the date does not, so it is not compared with it. A year of two digits
    /// is never more than 50 years after `now`. Years before 1900 (RFC 5322, section 3.3), dates that do not exist,
    /// and anything around the date give nil.
    public static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        ASCIIScanner.scan(text) { scanner in
            let civil: CivilTime?
            if scanner.index(of: longDayNames) != nil {
                civil = rfc850(&scanner, now: now)
            } else if scanner.index(of: dayNames) != nil {
                civil = scanner.take(", ") ? fixed(&scanner) : asctime(&scanner)
            } else {
                civil = nil
            }
            guard let civil, scanner.isAtEnd, civil.day.year >= 1900 else { return nil }
            return civil.timestamp()
        }
    }

    private static func fixed(_ scanner: inout ASCIIScanner) -> CivilTime? {
        guard let day = day(&scanner), scanner.take(" "), let month = scanner.index(of: monthNames), scanner.take(" "),
            let year = scanner.number(digits: 4), scanner.take(" "), let time = time(&scanner), zone(&scanner)
        else { return nil }
        return CivilTime(day: CivilDay(year: year, month: month + 1, day: day), time)
    }

    private static func rfc850(_ scanner: inout ASCIIScanner, now: Timestamp) -> CivilTime? {
        guard scanner.take(", "), let day = day(&scanner), scanner.take("-"),
            let month = scanner.index(of: monthNames), scanner.take("-"), let year = scanner.number(digits: 2),
            scanner.take(" "), let time = time(&scanner), zone(&scanner)
        else { return nil }
        var civil = CivilTime(day: CivilDay(year: year, month: month + 1, day: day), time)
        civil.day.year = fullYear(of: civil, now: now)
        return civil
    }

    private static func asctime(_ scanner: inout ASCIIScanner) -> CivilTime? {
        guard scanner.take(" "), let month = scanner.index(of: monthNames), scanner.take(" ") else { return nil }
        let isPadded = scanner.take(" ")
        guard let day = isPadded ? scanner.digit() : day(&scanner), scanner.take(" "),
            let time = time(&scanner), scanner.take(" "), let year = scanner.number(digits: 4)
        else { return nil }
        return CivilTime(day: CivilDay(year: year, month: month + 1, day: day), time)
    }

    /// The latest year with these two digits in which the date is not more than 50 years after `now`.
    private static func fullYear(of civil: CivilTime, now: Timestamp) -> Int {
        let today = min(max(now, Timestamp(milliseconds: 0)), Timestamp.lastInRFC3339)
        let latest = today.utcDay.year + 50
        let year = latest - (latest - civil.day.year).quotientAndRemainder(flooringBy: 100).remainder
        guard year == latest else { return year }
        var sameYear = civil
        sameYear.day.year = today.utcDay.year
        // A leap day has no counterpart in most years; the day before decides as well.
        if !sameYear.day.isReal { sameYear.day.day -= 1 }
        guard let moment = sameYear.timestamp(), moment > today else { return year }
        return year - 100
    }

    private static func day(_ scanner: inout ASCIIScanner) -> Int? {
        guard let first = scanner.digit() else { return nil }
        guard let second = scanner.digit() else { return first }
        return first * 10 + second
    }

    private static func time(_ scanner: inout ASCIIScanner) -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
            scanner.take(":"), let second = scanner.number(digits: 2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func zone(_ scanner: inout ASCIIScanner) -> Bool { scanner.take(" GMT") || scanner.take(" UTC") }
}

extension CivilTime {
    fileprivate init(day: CivilDay, _ time: (hour: Int, minute: Int, second: Int)) {
        self.init(day: day, hour: time.hour, minute: time.minute, second: time.second)
    }
}
