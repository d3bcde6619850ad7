import HoldfastDomain

/// Where an entry is stored: its stream's number and its sequence in one integer, which is the tables' row id.
///
/// So a stream's entries lie together and in order without an index of their own, and appending writes at the end
/// of the stream's part of the tree.
struct EntryKey: Hashable, Comparable {
    private static let sequenceBits: Int64 = 40
    /// More than a thousand entries a second for thirty years.
    static let largestSequence: Int64 = 1 << sequenceBits - 1
    static let largestStream: Int64 = 1 << (62 - sequenceBits)

    let rawValue: Int64

    /// The key of an entry; both numbers are clamped to what a key can hold.
    init(stream: Int64, sequence: Int64) {
        let stream = min(max(0, stream), Self.largestStream)
        rawValue = stream << Self.sequenceBits | min(max(0, sequence), Self.largestSequence)
    }

    /// The key that a row is stored under; damaged if no entry can have it.
    init(stored rawValue: Int64) throws {
        self.rawValue = rawValue
        guard rawValue >= 0, sequence > 0, stream > 0 else { throw QueueStoreError.damagedValue }
    }

    var stream: Int64 { rawValue >> Self.sequenceBits }
    var sequence: Int64 { rawValue & Self.largestSequence }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
