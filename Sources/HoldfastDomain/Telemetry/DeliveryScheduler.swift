/// Decides when the next batch is sent, and can always say why none is sent now.
///
/// It is given what happens and asked for its plan; it has no timer and makes no request, so that foreground,
/// background work, command line and tests follow one set of rules:
///
/// - Without consent nothing is sent, and a wait that the server ordered is never shortened. A flush overrides
///   everything else.
/// - A network's or the app's return, another token, and a batch that went through bring the next one on at once, as far
///   as something waited by then. What comes afterwards is gathered, but not in the time that the background gives.
/// - After a failure nothing else shortens the wait; new events least of all. Where only single events wait, each for a
///   time of its own, those that come after them are gathered as ever.
/// - Saving power or data stretches the gathering, and pauses work in the background.
public struct DeliveryScheduler: Hashable, Sendable {
    /// How an attempt ended.
    public enum AttemptEnd: Hashable, Sendable {
        /// Events were settled and the next may follow.
        case progress
        /// Nothing was deliverable.
        case nothing
        /// The next attempt may not be before this uptime.
        case wait(until: Interval, DeliveryObstacle)
        /// Nothing helps until something changes.
        case hold(DeliveryObstacle)
        /// It was called off by this side, which says nothing against another.
        case interrupted
    }

    private struct Bar: Hashable {
        var until: Interval
        var obstacle: DeliveryObstacle
    }

    private let policy: SchedulePolicy
    private var network: ConnectivityStatus
    private var power: PowerStatus
    private var consent: Consent
    private var count = 0
    private var bytes: Int64 = 0
    private var isInBackground = false
    private var backgroundEnd: Interval?
    private var bar: Bar?
    private var hold: Bar?
    private var cause: DeliveryTrigger?
    private var isFlushing = false
    private var gatheringSince: Interval
    /// How many events have come since the attempt under way began.
    private var arrivedCount = 0
    /// How much of the queue waits for a time of its own.
    private var deferredCount = 0
    private var deferredBytes: Int64 = 0
    private var lastFailure: Interval?

    /// A scheduler for an active app with an empty queue.
    public init(
        policy: SchedulePolicy = SchedulePolicy(),
        network: ConnectivityStatus,
        power: PowerStatus,
        consent: Consent,
        uptime: Interval
    ) {
        self.policy = policy
        self.network = network
        self.power = power
        self.consent = consent
        gatheringSince = uptime
    }

    /// What to do at `uptime`.
    public func plan(at uptime: Interval) -> DeliveryPlan {
        guard count > 0 else { return .idle }
        switch consent {
        case .pending: return .when(.consentPending)
        case .denied: return .when(.consentDenied)
        case .granted: break
        }
        if !isFlushing, let obstacle = absence(at: uptime) { return .when(obstacle) }
        if let bar, bar.obstacle == .serverWait, uptime < bar.until { return .at(bar.until, .serverWait) }
        if isFlushing { return .now(.flush) }
        if !policy.isAutomatic, !isInBackground {
            // Nothing goes on by itself, but the last attempt's obstacle is reported until it may have changed.
            if let hold, cause == nil { return .when(hold.obstacle) }
            guard let bar, uptime < bar.until else { return .when(.onRequest) }
            return .at(bar.until, bar.obstacle)
        }
        if let cause {
            let earliest = lastFailure.map { $0 + policy.spacing } ?? uptime
            return uptime >= earliest ? .now(cause) : .at(earliest, .backoff)
        }
        if let hold { return uptime >= hold.until ? .now(.recheck) : .held(hold.obstacle, recheck: hold.until) }
        guard let bar else { return gathering(at: uptime) }
        if uptime >= bar.until { return .now(.retry) }
        if bar.obstacle == .deferred, count > deferredCount {
            let plan = gathering(at: uptime)
            if plan.wakeUp ?? uptime <= bar.until { return plan }
        }
        return .at(bar.until, bar.obstacle)
    }

    /// What keeps even a due request from being made.
    private func absence(at uptime: Interval) -> DeliveryObstacle? {
        if !network.isReachable { return .offline }
        guard isInBackground else { return nil }
        if let restriction = policy.restriction(on: network, with: power) { return restriction }
        guard let backgroundEnd, uptime < backgroundEnd else { return .appInBackground }
        return nil
    }

    private func gathering(at uptime: Interval) -> DeliveryPlan {
        let stretch = policy.restriction(on: network, with: power) == nil ? 1 : max(1, policy.stretch)
        let enough = policy.thresholdBytes.multipliedSaturated(by: stretch)
        let isEnough = Int64(count - deferredCount) >= Int64(policy.thresholdCount).multipliedSaturated(by: stretch)
        if isEnough || bytes - deferredBytes >= enough {
            return .now(.threshold)
        }
        let length = Interval(milliseconds: policy.interval.milliseconds.multipliedSaturated(by: stretch))
        let due = gatheringSince + length
        return uptime >= due ? .now(.timer) : .at(due, .gathering)
    }
}

extension DeliveryScheduler {
    /// The network changed.
    public mutating func networkChanged(to status: ConnectivityStatus) {
        if status.isReachable && !network.isReachable { cause = .connectivityReturned }
        network = status
    }

    /// The need to save power changed.
    public mutating func powerChanged(to status: PowerStatus) { power = status }

    /// The user's consent changed.
    public mutating func consentChanged(to new: Consent) { consent = new }

    /// The app is in the foreground.
    public mutating func becameActive() {
        if isInBackground { cause = .appBecameActive }
        isInBackground = false
        backgroundEnd = nil
    }

    /// The app is in the background.
    ///
    /// - Parameters:
    ///   - end: Until when, by uptime, it may work there; nil if it may not.
    ///   - isLeaving: Whether it has just left the foreground, rather than been given time by the system.
    public mutating func movedToBackground(until end: Interval?, isLeaving: Bool) {
        isInBackground = true
        backgroundEnd = end
        if end != nil { cause = isLeaving ? .appLeaving : .backgroundWork }
    }

    /// As many events and bytes wait now.
    public mutating func queueChanged(count newCount: Int, bytes newBytes: Int64, uptime: Interval) {
        if count == 0 {
            gatheringSince = uptime
            // What still stands in the way is lifted by it; time in the background is given to whatever comes.
            if bar == nil, hold == nil, !isInBackground { cause = nil }
        }
        arrivedCount += max(0, newCount - count)
        count = newCount
        bytes = newBytes
    }

    /// The host wants everything sent now.
    public mutating func flushRequested() { isFlushing = true }

    /// The host has its answer, or no longer waits for it.
    public mutating func flushEnded() { isFlushing = false }

    /// The host has another token.
    public mutating func tokenChanged() { if hold != nil { cause = .tokenChanged } }

    /// The journal and the keys can be used again.
    public mutating func storageReturned() {
        guard let hold, [.storeUnavailable, .vaultUnavailable].contains(hold.obstacle) else { return }
        cause = .recheck
    }

    /// An earlier process was told to wait; nothing has been attempted in this one.
    public mutating func restored(waitUntil until: Interval, _ obstacle: DeliveryObstacle) {
        bar = Bar(until: until, obstacle: obstacle)
    }

    /// An attempt begins. What comes up while it runs is a cause for another.
    public mutating func attemptBegan() {
        cause = nil
        arrivedCount = 0
    }

    /// An attempt ended at `uptime`.
    public mutating func attemptEnded(_ end: AttemptEnd, uptime: Interval) {
        bar = nil
        hold = nil
        gatheringSince = uptime
        (deferredCount, deferredBytes) = (0, 0)
        switch end {
        case .progress:
            lastFailure = nil
            if count > arrivedCount || isInBackground { cause = .draining }
            return
        case .nothing:
            lastFailure = nil
            cause = nil
        case .wait(let until, let obstacle):
            bar = Bar(until: until, obstacle: obstacle)
            if obstacle == .deferred { (deferredCount, deferredBytes) = (count, bytes) }
            lastFailure = uptime
        case .hold(let obstacle):
            hold = Bar(until: uptime + policy.recheckInterval, obstacle: obstacle)
            lastFailure = uptime
        case .interrupted:
            bar = Bar(until: uptime + policy.spacing, obstacle: .interrupted)
            lastFailure = nil
        }
        isFlushing = false
    }
}
