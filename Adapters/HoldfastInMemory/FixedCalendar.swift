import HoldfastDomain

/// A calendar whose zones are fixed distances from UTC, without daylight saving.
public struct FixedCalendar: CivilCalendar {
    private let offsets: [String: Interval]

    /// A calendar that knows these zones, each as far ahead of UTC as given; by default `UTC` alone.
    public init(_ offsets: [String: Interval] = ["UTC": .zero]) { self.offsets = offsets }

    /// The day of `moment` in `zone`; nil for a zone it was not given.
    public func day(of moment: Timestamp, in zone: String) -> CivilDay? { offsets[zone].map { (moment + $0).utcDay } }
}
