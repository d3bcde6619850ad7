import Foundation
import HoldfastDomain

/// Knows the world's time zones through Foundation, with their daylight saving. Safe to use from any thread.
///
/// The zones are those of the system's time zone database, by their IANA names, and Foundation's own `GMT+hhmm`. Days
/// are those of the Gregorian calendar, whatever the user's calendar is.
public struct FoundationCalendar: CivilCalendar {
    /// A calendar.
    public init() {}

    /// The day of `moment` in the zone called `zone`; nil if the system knows no such zone.
    public func day(of moment: Timestamp, in zone: String) -> CivilDay? {
        guard let zone = TimeZone(identifier: zone) else { return nil }
        let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
        return (moment + .seconds(Int64(zone.secondsFromGMT(for: date)))).utcDay
    }
}
