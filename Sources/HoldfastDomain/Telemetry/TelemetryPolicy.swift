/// How telemetry takes, keeps and sends events: every choice that a host may make, with a default for each.
public struct TelemetryPolicy: Hashable, Sendable {
    /// How large events and batches may be.
    public var limits = TelemetryLimits()
    /// When events are sent.
    public var schedule = SchedulePolicy()
    /// How long to wait after failures.
    public var retry = RetryPolicy()
    /// What the server's answers mean.
    public var answers = AnswerTable()
    /// What is done with a batch that the server refuses for good; it is set aside by default.
    public var rejection = RejectionPolicy.setAside
    /// How long one request may take; 30 s by default.
    public var requestTimeout = Interval.seconds(30)
    /// How much is kept on disk, and how long: 20 MiB and 7 days by default.
    public var retention = Retention(
        maxQueuedBytes: 20 * 1024 * 1024,
        maxQueuedAge: .days(7),
        deadLetteredFor: .days(7)
    )
    /// How many dead letters are kept; the oldest go first. 1000 by default.
    public var maxDeadLetters = 1000
    /// What an event must survive once it is stored. The death of the process by default.
    public var durability = Durability.processDeath
    /// How long `log` may gather events before they are stored together; 20 ms by default.
    public var commitInterval = Interval.milliseconds(20)
    /// How much memory may be taken by events that are not stored yet, as while the disk stalls or the keys are
    /// locked; 4 MiB by default.
    public var maxBufferedBytes = 4 * 1024 * 1024
    /// The consent until the host sets one; granted by default.
    public var initialConsent = Consent.granted
    /// Whether losses are reported to the server, as an event of the type `holdfast.losses`; true by default.
    public var reportsLosses = true

    /// The defaults.
    public init() {}

    /// The part that a courier needs.
    ///
    /// The lease outlives two requests, the second for another token, the tokens, for which the host may take as long, and
    /// what is around them.
    package var courier: CourierPolicy {
        CourierPolicy(
            maxCount: limits.maxBatchCount,
            maxBodyBytes: limits.maxBodyBytes,
            leaseDuration: requestTimeout + requestTimeout + requestTimeout + requestTimeout + .minutes(3),
            rejection: rejection,
            retry: retry
        )
    }
}
