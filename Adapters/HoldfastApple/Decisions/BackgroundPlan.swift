import HoldfastDomain

/// Which background tasks deliver, and when they are asked for: the choices of a host.
///
/// Each identifier must be in the app's Info.plist under `BGTaskSchedulerPermittedIdentifiers`, and
/// `UIBackgroundModes` must hold `fetch` for the refresh task and `processing` for the processing task.
public struct BackgroundPlan: Hashable, Sendable {
    /// The identifier of the refresh task: about 30 s, several times a day at best; nil for none.
    public var refresh: String?
    /// The identifier of the processing task: minutes, usually while the device is idle; nil for none.
    public var processing: String?
    /// The least time until the next refresh; 15 minutes by default.
    public var refreshAfter: Interval
    /// The least time until the next processing task; an hour by default.
    public var processingAfter: Interval
    /// How long a refresh may work before the system says stop; 20 s by default.
    public var refreshBudget: Interval
    /// How long a processing task may work before the system says stop; 3 minutes by default.
    public var processingBudget: Interval
    /// Whether the processing task waits for a charger; false by default.
    public var needsExternalPower: Bool

    /// A plan of these choices.
    public init(
        refresh: String?,
        processing: String? = nil,
        refreshAfter: Interval = .minutes(15),
        processingAfter: Interval = .hours(1),
        refreshBudget: Interval = .seconds(20),
        processingBudget: Interval = .minutes(3),
        needsExternalPower: Bool = false
    ) {
        self.refresh = refresh
        self.processing = processing
        self.refreshAfter = refreshAfter
        self.processingAfter = processingAfter
        self.refreshBudget = refreshBudget
        self.processingBudget = processingBudget
        self.needsExternalPower = needsExternalPower
    }
}

/// The two kinds of background task.
enum BackgroundTaskKind: Hashable, Sendable {
    case refresh, processing

    /// What `UIBackgroundModes` must hold for it.
    var mode: String { self == .refresh ? "fetch" : "processing" }
}

extension BackgroundPlan {
    /// The tasks of the plan. One identifier cannot be both; the refresh has it.
    var tasks: [(kind: BackgroundTaskKind, identifier: String)] {
        var tasks: [(kind: BackgroundTaskKind, identifier: String)] = []
        if let refresh { tasks.append((.refresh, refresh)) }
        if let processing, processing != refresh { tasks.append((.processing, processing)) }
        return tasks
    }

    /// The system never launches a task before this.
    ///
    /// The plan's own wait, or until the next attempt makes sense if that is later, as when a server ordered a wait;
    /// but never more than a day, whatever the clocks say.
    func earliestBegin(of kind: BackgroundTaskKind, now: Timestamp, nextAttempt: Timestamp?) -> Timestamp {
        let wait = max(.zero, kind == .refresh ? refreshAfter : processingAfter)
        return min(max(now + wait, nextAttempt ?? now), now + .days(1))
    }

    /// How long a task of this kind may work.
    func budget(of kind: BackgroundTaskKind) -> Interval {
        max(.zero, kind == .refresh ? refreshBudget : processingBudget)
    }
}

/// What background work came to.
public struct BackgroundResult: Hashable, Sendable {
    /// Whether the system should count the launch as a success.
    public var isSuccess: Bool
    /// When the next attempt makes sense, if that is known.
    public var nextAttempt: Timestamp?

    /// A result of these parts.
    public init(isSuccess: Bool, nextAttempt: Timestamp? = nil) {
        self.isSuccess = isSuccess
        self.nextAttempt = nextAttempt
    }
}
