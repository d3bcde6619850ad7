import HoldfastDomain

/// Owns time for delivery: asks the scheduler what to do, lets the courier take a step, and waits for a moment or an
/// event. One request is under way at a time.
actor DeliveryDriver {
    private static let lossReportInterval = Interval.minutes(15)

    /// Who waits for what a flush, or time in the background, comes to.
    private struct Waiter {
        let id: Int
        /// What had been delivered before.
        let before: DeliveryReport
        /// When the time in the background ends; nil for a flush.
        let end: Interval?
        let continuation: CheckedContinuation<FlushReport, Never>
    }

    private let ports: TelemetryPorts
    private let courier: Courier
    private let writer: EventWriter
    private let buffer: EventBuffer
    private let sleeper: any Sleeper
    private let feed: StatusFeed
    private let bell = Bell()

    private var scheduler: DeliveryScheduler
    private var consent: Consent
    private var statistics: StreamStatistics
    private var storageObstacle: DeliveryObstacle?
    private var keyID: KeyID?
    private var delivered = DeliveryReport()
    private var attempt: Task<CourierStep, Never>?
    private var waiters: [Waiter] = []
    private var nextWaiter = 0
    /// Counts moves between foreground and background, so that the end of an earlier one changes nothing.
    private var move = 0
    private var lossesToldAt: Interval?
    private var isHalted = false
    private var isStopped = false

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
        self.consent = consent
        self.statistics = statistics
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
            let plan = isHalted ? nil : scheduler.plan(at: uptime)
            if let plan { answer(plan, at: uptime) }
            publish()
            if case .now(let trigger)? = plan {
                await makeAttempt(trigger)
            } else {
                await bell.wait(upTo: plan?.wakeUp.map { $0 - uptime }, by: sleeper)
            }
        }
        for waiter in waiters { waiter.continuation.resume(returning: report(for: waiter)) }
        waiters = []
    }

    private func makeAttempt(_ trigger: DeliveryTrigger) async {
        scheduler.attemptBegan()
        let losses = lossesToTell()
        let attempt = Task {
            if let losses { await writer.reportLosses(losses) }
            return Task.isCancelled ? .held(.interrupted) : await courier.step(ignoringBackOff: trigger.startsAnew)
        }
        self.attempt = attempt
        publish()
        let step = await attempt.value
        self.attempt = nil
        if case .delivered(let report) = step { delivered = delivered + report }
        await look()
        scheduler.attemptEnded(end(of: step), uptime: ports.clock.now().uptime)
    }

    private func end(of step: CourierStep) -> DeliveryScheduler.AttemptEnd {
        let uptime = ports.clock.now().uptime
        switch step {
        case .idle: return .nothing
        case .delivered: return .progress
        case .waiting(let interval, let obstacle): return .wait(until: uptime + interval, obstacle)
        case .held(.interrupted): return .interrupted
        case .held(let obstacle): return .hold(obstacle)
        }
    }

    /// The ledger, if it is time to tell the server of it; once in a while only, as a report may be refused as well.
    private func lossesToTell() -> [LossReason: Int]? {
        let uptime = ports.clock.now().uptime
        guard !statistics.losses.isEmpty, lossesToldAt.map({ uptime - $0 >= Self.lossReportInterval }) ?? true else {
            return nil
        }
        lossesToldAt = uptime
        return statistics.losses
    }

    /// Reads the journal's counts anew.
    private func look() async {
        do {
            await writer.looked(at: try await ports.journal.statistics(.telemetry))
        } catch {
            // The last counts stand; whoever has to write will tell why it cannot.
            ports.diagnostics.record(DiagnosticEvent(.storeFailed))
        }
    }
}

// MARK: - What happens

extension DeliveryDriver {
    func heard(_ news: EventWriter.News) {
        let uptime = ports.clock.now().uptime
        switch news {
        case .stored(let count, let bytes, let key):
            keyID = key
            statistics.queued += count
            statistics.liveBytes += bytes
        case .looked(let statistics): self.statistics = statistics
        case .sealing(let key): keyID = key
        case .obstacle(let obstacle):
            storageObstacle = obstacle
            if obstacle == nil { scheduler.storageReturned() }
        }
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
        self.consent = consent
        scheduler.consentChanged(to: consent)
        bell.ring()
    }

    func tokenChanged() {
        scheduler.tokenChanged()
        bell.ring()
    }

    /// Sends nothing, and lets nothing be under way, until `resume`.
    func halt() async {
        isHalted = true
        attempt?.cancel()
        _ = await attempt?.value
    }

    func resume() {
        isHalted = false
        bell.ring()
    }

    func stop() async {
        isStopped = true
        attempt?.cancel()
        bell.ring()
        _ = await attempt?.value
        feed.finish()
    }
}

// MARK: - Flushing and the background

extension DeliveryDriver {
    func flush() async -> FlushReport {
        await look()
        scheduler.flushRequested()
        return await wait(until: nil)
    }

    func becameActive() async {
        move += 1
        scheduler.becameActive()
        await writer.setGathers(true)
        bell.ring()
    }

    /// Works in the background until `end`, nothing is left, or nothing can be done; then nothing is under way.
    func work(until end: Interval, isLeaving: Bool) async -> FlushReport {
        move += 1
        let move = move
        await writer.setGathers(false)
        await look()
        scheduler.movedToBackground(until: end, isLeaving: isLeaving)
        let alarm = Task {
            // Cancelled when the work ended before its time.
            guard (try? await sleeper.sleep(for: end - ports.clock.now().uptime)) != nil else { return }
            endWork(of: move)
        }
        let report = await withTaskCancellationHandler {
            await wait(until: end)
        } onCancel: {
            Task { await endWork(of: move) }
        }
        alarm.cancel()
        endWork(of: move)
        return report
    }

    private func endWork(of move: Int) {
        guard move == self.move else { return }
        scheduler.movedToBackground(until: nil, isLeaving: false)
        attempt?.cancel()
        bell.ring()
    }

    private func wait(until end: Interval?) async -> FlushReport {
        nextWaiter += 1
        let id = nextWaiter
        return await withCheckedContinuation { continuation in
            let waiter = Waiter(id: id, before: delivered, end: end, continuation: continuation)
            guard !isStopped else { return continuation.resume(returning: report(for: waiter)) }
            waiters.append(waiter)
            bell.ring()
        }
    }

    /// Answers those who wait, once nothing more is to be done now.
    private func answer(_ plan: DeliveryPlan, at uptime: Interval) {
        if case .now = plan { return }
        scheduler.flushEnded()
        var left: [Waiter] = []
        for waiter in waiters {
            // Time in the background is precious: a short wait is waited out.
            if let end = waiter.end, uptime < end, let wakeUp = plan.wakeUp, wakeUp < end {
                left.append(waiter)
            } else {
                waiter.continuation.resume(returning: report(for: waiter))
            }
        }
        waiters = left
    }

    private func report(for waiter: Waiter) -> FlushReport {
        FlushReport(delivery: delivered.since(waiter.before), status: snapshot())
    }
}

// MARK: - Status

extension DeliveryDriver {
    func status() async -> TelemetryStatus {
        await writer.tellKey()
        await look()
        return snapshot()
    }

    private func publish() {
        if feed.isHeard { feed.publish(snapshot()) }
    }

    private func snapshot() -> TelemetryStatus {
        let now = ports.clock.now()
        let plan = scheduler.plan(at: now.uptime)
        var status = TelemetryStatus()
        status.queued = statistics.queued
        status.liveBytes = statistics.liveBytes
        status.diskBytes = statistics.diskBytes
        status.buffered = buffer.load.count
        status.deadLettered = statistics.deadLettered
        status.lost = statistics.losses
        status.delivery = delivered
        status.isSending = attempt != nil
        status.failures = statistics.retry.failures
        status.nextAttempt = plan.wakeUp.map { now.wall + ($0 - now.uptime) }
        // Gathering is as it should be; that nothing can be stored is worth knowing meanwhile.
        status.why = plan.obstacle == .gathering ? storageObstacle ?? .gathering : plan.obstacle ?? storageObstacle
        status.consent = consent
        status.sessionID = buffer.session
        status.keyID = keyID
        return status
    }
}

extension DeliveryReport {
    /// What of this came after `earlier`.
    fileprivate func since(_ earlier: DeliveryReport) -> DeliveryReport {
        DeliveryReport(
            delivered: delivered - earlier.delivered,
            duplicates: duplicates - earlier.duplicates,
            deadLettered: deadLettered.merging(earlier.deadLettered) { $0 - $1 }.filter { $0.value > 0 },
            retried: retried - earlier.retried
        )
    }
}
