import HoldfastDomain

/// Owns time for delivery: asks the scheduler what to do, lets the courier take a step, and waits for a moment or an
/// event. One request is under way at a time.
///
/// It only acts. When to send is the scheduler's to decide, and what a status says is the view's.
actor DeliveryDriver {
    let ports: TelemetryPorts
    let writer: EventWriter
    let sleeper: any Sleeper
    let bell = Bell()
    private let courier: Courier
    private let buffer: EventBuffer
    private let feed: StatusFeed

    var scheduler: DeliveryScheduler
    var view: DeliveryView
    var attempt: Task<CourierStep, Never>?
    var waiters: [FlushWaiter] = []
    /// Counts moves between foreground and background, so that the end of an earlier one changes nothing.
    var move = 0
    /// How many want nothing to be sent.
    private var halts = 0
    private(set) var isStopped = false

    init(
        ports: TelemetryPorts,
        courier: Courier,
        writer: EventWriter,
        buffer: EventBuffer,
        sleeper: any Sleeper,
        feed: StatusFeed,
        policy: SchedulePolicy,
        consent: Consent,
        statistics: StreamStatistics
    ) {
        self.ports = ports
        self.courier = courier
        self.writer = writer
        self.buffer = buffer
        self.sleeper = sleeper
        self.feed = feed
        view = DeliveryView(statistics: statistics, consent: consent)
        let now = ports.clock.now()
        scheduler = DeliveryScheduler(
            policy: policy,
            network: ports.connectivity.current(),
            power: ports.power.current(),
            consent: consent,
            uptime: now.uptime
        )
        scheduler.queueChanged(count: statistics.queued, bytes: statistics.liveBytes, uptime: now.uptime)
        let wait = statistics.retry.remaining(at: now)
        if wait > .zero {
            let obstacle = statistics.retry.isOrdered ? DeliveryObstacle.serverWait : .backoff
            scheduler.restored(waitUntil: now.uptime + wait, obstacle)
        }
    }

    /// Makes the driver look at things anew.
    nonisolated func wake() { bell.ring() }

    /// Delivers until it is stopped.
    func run() async {
        while !isStopped {
            let uptime = ports.clock.now().uptime
            let plan = halts > 0 ? nil : scheduler.plan(at: uptime)
            if let plan { answer(plan, at: uptime) }
            publish()
            if case .now(let trigger)? = plan {
                await makeAttempt(trigger)
            } else {
                await bell.wait(upTo: plan?.wakeUp.map { $0 - uptime }, by: sleeper)
            }
        }
        answerAll()
    }

    private func makeAttempt(_ trigger: DeliveryTrigger) async {
        scheduler.attemptBegan()
        let losses = view.lossesToTell(at: ports.clock.now().uptime)
        let attempt = Task { () -> CourierStep in
            if let losses { await writer.reportLosses(losses) }
            // What is to be erased is not to be sent.
            if await writer.isErasing, let cause = await writer.commit() { return .held(cause.obstacle) }
            return Task.isCancelled ? .held(.interrupted) : await courier.step(ignoringBackOff: trigger.startsAnew)
        }
        self.attempt = attempt
        publish()
        let step = await attempt.value
        self.attempt = nil
        if case .delivered(let report) = step { view.delivered = view.delivered + report }
        await look()
        let uptime = ports.clock.now().uptime
        scheduler.attemptEnded(DeliveryScheduler.AttemptEnd(of: step, at: uptime), uptime: uptime)
    }

    /// Reads the journal's counts anew.
    func look() async {
        do {
            try await writer.look()
        } catch {
            // The last counts stand; whoever has to write will tell why it cannot.
            ports.diagnostics.record(DiagnosticEvent(.storeFailed))
        }
    }

    /// Sends nothing, and lets nothing be under way, until as many calls of `resume`.
    func halt() async {
        halts += 1
        attempt?.cancel()
        _ = await attempt?.value
    }

    func resume() {
        halts -= 1
        bell.ring()
    }

    func stop() async {
        isStopped = true
        attempt?.cancel()
        bell.ring()
        _ = await attempt?.value
        feed.finish()
    }

    func status() async -> TelemetryStatus {
        await writer.tellKey()
        await look()
        return snapshot()
    }

    private func publish() {
        if feed.isHeard { feed.publish(snapshot()) }
    }

    func snapshot() -> TelemetryStatus {
        let now = ports.clock.now()
        var status = view.status(following: scheduler.plan(at: now.uptime), now: now)
        status.buffered = buffer.load.count
        status.sessionID = buffer.session
        status.isSending = attempt != nil
        return status
    }
}

// MARK: - What happens

extension DeliveryDriver {
    func heard(_ news: EventWriter.News) {
        view.hear(news)
        if case .obstacle(nil) = news { scheduler.storageReturned() }
        let statistics = view.statistics
        let uptime = ports.clock.now().uptime
        scheduler.queueChanged(count: statistics.queued, bytes: statistics.liveBytes, uptime: uptime)
        bell.ring()
    }

    func networkChanged(to status: ConnectivityStatus) {
        scheduler.networkChanged(to: status)
        bell.ring()
    }

    func powerChanged(to status: PowerStatus) {
        scheduler.powerChanged(to: status)
        bell.ring()
    }

    func consentChanged(to consent: Consent) {
        view.consent = consent
        scheduler.consentChanged(to: consent)
        bell.ring()
    }

    func tokenChanged() {
        scheduler.tokenChanged()
        bell.ring()
    }
}

extension DeliveryScheduler.AttemptEnd {
    /// How an attempt ended that came to `step` at this uptime.
    fileprivate init(of step: CourierStep, at uptime: Interval) {
        switch step {
        case .idle: self = .nothing
        case .delivered: self = .progress
        case .waiting(let interval, let obstacle): self = .wait(until: uptime + interval, obstacle)
        case .held(.interrupted): self = .interrupted
        case .held(let obstacle): self = .hold(obstacle)
        }
    }
}
