/// Why nothing is sent; open, so that obstacles can be added.
public struct DeliveryObstacle: Hashable, Sendable {
    /// The stable name of the obstacle.
    public let rawValue: String
    /// The obstacle of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Events are gathered for a while, so that one request carries many.
    public static let gathering = DeliveryObstacle("gathering")
    /// Nothing is sent but when the host asks for it.
    public static let onRequest = DeliveryObstacle("on_request")
    /// The last attempt failed; the next follows after a growing, random wait.
    public static let backoff = DeliveryObstacle("backoff")
    /// The server ordered a wait. Nothing shortens it.
    public static let serverWait = DeliveryObstacle("server_wait")
    /// What is left waits for a time of its own: the server wants it again later, or it could not be opened just now.
    public static let deferred = DeliveryObstacle("deferred")
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
    /// The server does not take requests there at all, such as by 404.
    public static let refused = DeliveryObstacle("refused")
    /// The attempt was called off before it ended.
    public static let interrupted = DeliveryObstacle("interrupted")
}
