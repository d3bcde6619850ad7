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
}

/// Why nothing is sent; open, so that obstacles can be added.
public struct DeliveryObstacle: Hashable, Sendable {
    /// The stable name of the obstacle.
    public let rawValue: String
    /// The obstacle of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Events are gathered for a while, so that one request carries many.
    public static let gathering = DeliveryObstacle("gathering")
    /// The last attempt failed; the next follows after a growing, random wait.
    public static let backoff = DeliveryObstacle("backoff")
    /// The server ordered a wait. Nothing shortens it.
    public static let serverWait = DeliveryObstacle("server_wait")
    /// Another process is sending.
    public static let leasedElsewhere = DeliveryObstacle("leased_elsewhere")
    /// There is no network.
    public static let offline = DeliveryObstacle("offline")
    /// The app is in the background and has been given no time to work.
    public static let appInBackground = DeliveryObstacle("app_in_background")
    /// In the background while power is to be saved.
    public static let lowPower = DeliveryObstacle("low_power")
    /// In the background while the device is hot.
    public static let thermalPressure = DeliveryObstacle("thermal_pressure")
    /// In the background on a network on which data is to be saved.
    public static let constrainedNetwork = DeliveryObstacle("constrained_network")
    /// The user has not been asked yet.
    public static let consentPending = DeliveryObstacle("consent_pending")
    /// The user said no.
    public static let consentDenied = DeliveryObstacle("consent_denied")
    /// The server refused the access token and the host has no other.
    public static let unauthorised = DeliveryObstacle("unauthorised")
    /// The host could not give an access token.
    public static let tokenUnavailable = DeliveryObstacle("token_unavailable")
    /// The server, or a network in its place, redirects.
    public static let redirected = DeliveryObstacle("redirected")
    /// The endpoint cannot be used.
    public static let invalidRequest = DeliveryObstacle("invalid_request")
    /// The keys cannot be read now, as before a device's first unlock.
    public static let vaultUnavailable = DeliveryObstacle("vault_unavailable")
    /// The journal cannot be read or written now.
    public static let storeUnavailable = DeliveryObstacle("store_unavailable")
}
