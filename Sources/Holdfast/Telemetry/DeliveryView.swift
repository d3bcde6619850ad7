import HoldfastDomain

/// What the driver knows of the queue, and what it makes of that: what a status says, and when to tell of losses.
struct DeliveryView {
    private static let lossReportInterval = Interval.minutes(15)

    private(set) var statistics: StreamStatistics
    var consent: Consent
    /// What became of events since telemetry was opened.
    var delivered = DeliveryReport()
    /// What keeps events from being stored.
    private var storageObstacle: DeliveryObstacle?
    private var keyID: KeyID?
    private var lossesToldAt: Interval?

    init(statistics: StreamStatistics, consent: Consent) {
        self.statistics = statistics
        self.consent = consent
    }

    mutating func hear(_ news: EventWriter.News) {
        switch news {
        case .stored(let count, let bytes, let key):
            keyID = key
            statistics.queued += count
            statistics.liveBytes += bytes
        case .looked(let statistics): self.statistics = statistics
        case .sealing(let key): keyID = key
        case .obstacle(let obstacle): storageObstacle = obstacle
        }
    }

    /// The ledger, if it is time to tell the server of it; once in a while only, as a report may be refused as well.
    mutating func lossesToTell(at uptime: Interval) -> [LossReason: Int]? {
        guard !statistics.losses.isEmpty, lossesToldAt.map({ uptime - $0 >= Self.lossReportInterval }) ?? true else {
            return nil
        }
        lossesToldAt = uptime
        return statistics.losses
    }

    /// How things stand, but for what is in memory and under way.
    func status(following plan: DeliveryPlan, now: ClockReading) -> TelemetryStatus {
        var status = TelemetryStatus()
        status.queued = statistics.queued
        status.liveBytes = statistics.liveBytes
        status.diskBytes = statistics.diskBytes
        status.deadLettered = statistics.deadLettered
        status.lost = statistics.losses
        status.delivery = delivered
        status.failures = statistics.retry.failures
        status.nextAttempt = plan.wakeUp.map { now.wall + ($0 - now.uptime) }
        // Gathering is as it should be; that nothing can be stored is worth knowing meanwhile.
        status.why = plan.obstacle == .gathering ? storageObstacle ?? .gathering : plan.obstacle ?? storageObstacle
        status.consent = consent
        status.keyID = keyID
        return status
    }
}
