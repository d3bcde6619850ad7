/// How telemetry stands: what waits, what was lost, and why nothing is sent now.
public struct TelemetryStatus: Hashable, Sendable {
    /// Events on disk that wait to be delivered.
    public var queued = 0
    /// How many sealed bytes they have.
    public var liveBytes: Int64 = 0
    /// What the journal takes on disk in all, in bytes.
    public var diskBytes: Int64 = 0
    /// Events in memory that are not stored yet.
    public var buffered = 0
    /// Events that were set aside and are still kept.
    public var deadLettered = 0
    /// What was ever lost, by reason.
    public var lost: [LossReason: Int] = [:]
    /// What became of events since telemetry was opened.
    public var delivery = DeliveryReport()
    /// Whether a request is under way.
    public var isSending = false
    /// How many attempts have failed since the last success.
    public var failures = 0
    /// When the next attempt is due, by the wall clock, if that is known.
    public var nextAttempt: Timestamp?
    /// Why nothing is sent, or stored, now; nil if nothing stands in the way.
    public var why: DeliveryObstacle?
    /// Whether the user agreed.
    public var consent = Consent.granted
    /// The current session's id.
    public var sessionID = ""
    /// The newest key that events are sealed with; nil before the first.
    public var keyID: KeyID?

    /// A status in which nothing waits.
    public init() {}
}

/// What came of a flush or of work in the background.
public struct FlushReport: Hashable, Sendable {
    /// What became of events meanwhile.
    public var delivery: DeliveryReport
    /// How things stand afterwards.
    public var status: TelemetryStatus

    /// A report of these parts.
    public init(delivery: DeliveryReport = DeliveryReport(), status: TelemetryStatus = TelemetryStatus()) {
        self.delivery = delivery
        self.status = status
    }

    /// Whether nothing is left to deliver.
    public var isComplete: Bool { status.queued == 0 && status.buffered == 0 }
}
