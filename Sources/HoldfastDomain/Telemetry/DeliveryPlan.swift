/// When the next request is to be made, and why then: what a scheduler decides.
public enum DeliveryPlan: Hashable, Sendable {
    /// Nothing waits to be sent.
    case idle
    /// Send now.
    case now(DeliveryTrigger)
    /// Send once the device's uptime reaches this, if nothing changes before.
    case at(Interval, DeliveryObstacle)
    /// Send when this obstacle goes; nobody knows when.
    case when(DeliveryObstacle)
    /// Sending does not help until the host or the server changes something; looked at again at this uptime.
    case held(DeliveryObstacle, recheck: Interval)

    /// Why nothing is sent now; nil if something is, or nothing waits.
    public var obstacle: DeliveryObstacle? {
        switch self {
        case .idle, .now: return nil
        case .at(_, let obstacle), .when(let obstacle), .held(let obstacle, _): return obstacle
        }
    }

    /// The uptime at which to look again, if one is known.
    public var wakeUp: Interval? {
        switch self {
        case .idle, .now, .when: return nil
        case .at(let uptime, _), .held(_, let uptime): return uptime
        }
    }
}

/// What makes a request due.
public enum DeliveryTrigger: String, Hashable, Sendable {
    /// The host asked for it.
    case flush
    /// A network is there again.
    case connectivityReturned = "connectivity_returned"
    /// The app came to the foreground.
    case appBecameActive = "app_became_active"
    /// The app leaves the foreground and still has a little time.
    case appLeaving = "app_leaving"
    /// The system gave time in the background.
    case backgroundWork = "background_work"
    /// The host has another access token.
    case tokenChanged = "token_changed"
    /// The last batch went through and more is waiting.
    case draining
    /// A wait after a failure is over.
    case retry
    /// It is time to see whether a hold still stands.
    case recheck
    /// Enough events, or bytes, wait.
    case threshold
    /// Events have waited for the usual time.
    case timer

    /// Whether it goes ahead although a wait after a failure is not over. Failures before it no longer count: they say
    /// nothing of a network, an app or a token that is another now.
    public var startsAnew: Bool {
        switch self {
        case .flush, .connectivityReturned, .appBecameActive, .appLeaving, .backgroundWork, .tokenChanged: return true
        case .draining, .retry, .recheck, .threshold, .timer: return false
        }
    }
}
