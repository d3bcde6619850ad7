/// What one step of a courier came to, and with it when the next one makes sense.
public enum CourierStep: Hashable, Sendable {
    /// Nothing waits to be delivered.
    case idle
    /// Entries were settled, or a batch was cut smaller; take the next step at once.
    case delivered(DeliveryReport)
    /// The next step makes sense after this time.
    case waiting(for: Interval, DeliveryObstacle)
    /// The next step makes sense when the obstacle is gone, or once in a while to see whether it is.
    case held(DeliveryObstacle)
}

/// What became of the entries of one batch.
public struct DeliveryReport: Hashable, Sendable {
    /// How many arrived, those included that had arrived before.
    public var delivered: Int
    /// How many of them had arrived before.
    public var duplicates: Int
    /// How many will never be sent again, by reason.
    public var deadLettered: [LossReason: Int]
    /// How many are to be sent again later.
    public var retried: Int

    /// A report of these counts.
    public init(delivered: Int = 0, duplicates: Int = 0, deadLettered: [LossReason: Int] = [:], retried: Int = 0) {
        self.delivered = delivered
        self.duplicates = duplicates
        self.deadLettered = deadLettered
        self.retried = retried
    }

    /// Both reports together.
    public static func + (lhs: Self, rhs: Self) -> Self {
        DeliveryReport(
            delivered: lhs.delivered + rhs.delivered,
            duplicates: lhs.duplicates + rhs.duplicates,
            deadLettered: lhs.deadLettered.merging(rhs.deadLettered) { $0 + $1 },
            retried: lhs.retried + rhs.retried
        )
    }
}
