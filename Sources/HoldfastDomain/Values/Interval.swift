/// A length of time in whole milliseconds; may be negative. Arithmetic saturates and never traps.
public struct Interval: Hashable, Comparable, Sendable {
    /// The length in milliseconds.
    public var milliseconds: Int64

    /// A length of `milliseconds`.
    @inlinable public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// No time at all.
    public static let zero = Interval(milliseconds: 0)

    /// A length of `count` milliseconds.
    public static func milliseconds(_ count: Int64) -> Self { Self(milliseconds: count) }
    /// A length of `count` seconds, saturating.
    public static func seconds(_ count: Int64) -> Self { Self(milliseconds: count.multipliedSaturated(by: 1000)) }
    /// A length of `count` minutes, saturating.
    public static func minutes(_ count: Int64) -> Self { .seconds(count.multipliedSaturated(by: 60)) }
    /// A length of `count` hours, saturating.
    public static func hours(_ count: Int64) -> Self { .seconds(count.multipliedSaturated(by: 3600)) }
    /// A length of `count` times 24 hours, saturating.
    public static func days(_ count: Int64) -> Self { .seconds(count.multipliedSaturated(by: 86400)) }

    /// Whether `lhs` is shorter than `rhs`.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }

    /// Both lengths together, saturating.
    public static func + (lhs: Self, rhs: Self) -> Self {
        Self(milliseconds: lhs.milliseconds.addingSaturated(rhs.milliseconds))
    }

    /// What is left of `lhs` after `rhs`, saturating.
    public static func - (lhs: Self, rhs: Self) -> Self {
        Self(milliseconds: lhs.milliseconds.subtractingSaturated(rhs.milliseconds))
    }
}

extension Interval: CustomStringConvertible {
    /// The length in milliseconds, such as `1500 ms`.
    public var description: String { "\(milliseconds) ms" }
}

extension Int64 {
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
