import HoldfastDomain

/// How far a stream's order is the order of its times too: what lets the search for aged entries stop early.
///
/// Entries are numbered as they come, and clocks are set back; so an old entry can stand behind a young one. From
/// `ascendingFrom` on, no entry is more than `slack` older than any before it in that part.
struct TimeOrder {
    /// Threads that record at once may be this much out of order.
    static let slack = Interval.seconds(60)

    /// The latest time from `ascendingFrom` on.
    private(set) var peak: Int64?
    private(set) var ascendingFrom: Int64 = 0

    init(peak: Int64? = nil, ascendingFrom: Int64 = 0) {
        self.peak = peak
        self.ascendingFrom = ascendingFrom
    }

    mutating func append(_ time: Timestamp, sequence: Int64) {
        guard let peak, time + Self.slack < Timestamp(milliseconds: peak) else {
            peak = max(peak ?? .min, time.milliseconds)
            return
        }
        self.peak = time.milliseconds
        ascendingFrom = sequence
    }

    /// Whether an entry and every one behind it are younger than `age`.
    func isYoungFromHere(_ time: Timestamp, sequence: Int64, age: Interval, now: Timestamp) -> Bool {
        sequence >= ascendingFrom && time - Self.slack + age > now
    }
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
}
