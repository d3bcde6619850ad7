/// A moment on the wall clock: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// A 64-bit integer rather than a floating-point date, so that comparing, storing and printing lose nothing.
/// Arithmetic saturates at the ends of the range and never traps, whatever a ticket or a server claims.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
    public var milliseconds: Int64

    /// The moment `milliseconds` after 1970-01-01T00:00:00Z.
    @inlinable public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The earliest moment of the range.
    public static let distantPast = Timestamp(milliseconds: .min)
    /// The latest moment of the range.
    public static let distantFuture = Timestamp(milliseconds: .max)

    /// Whether `lhs` comes before `rhs`.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }

    /// The moment `interval` after `moment`, saturating.
    public static func + (moment: Self, interval: Interval) -> Self {
        Self(milliseconds: moment.milliseconds.addingSaturated(interval.milliseconds))
    }

    /// The moment `interval` before `moment`, saturating.
    public static func - (moment: Self, interval: Interval) -> Self {
        Self(milliseconds: moment.milliseconds.subtractingSaturated(interval.milliseconds))
    }

    /// How long after `rhs` the moment `lhs` is, saturating.
    public static func - (lhs: Self, rhs: Self) -> Interval {
        Interval(milliseconds: lhs.milliseconds.subtractingSaturated(rhs.milliseconds))
    }
}
