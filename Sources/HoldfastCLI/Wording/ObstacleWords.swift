import HoldfastDomain

extension DeliveryObstacle {
    /// Why nothing is sent, in words.
    var words: String {
        switch self {
        case .gathering: "events are gathered for a while"
        case .onRequest: "nothing is sent unless asked for"
        case .backoff: "the last attempt failed"
        case .serverWait: "the server ordered a wait"
        case .deferred: "what is left is to be sent again later"
        case .leasedElsewhere: "another process is sending"
        case .offline: "there is no network"
        case .appInBackground: "the app is in the background and has been given no time"
        case .lowPower: "power is to be saved"
        case .thermalPressure: "the device is too hot"
        case .constrainedNetwork: "data is to be saved on this network"
        case .consentPending: "consent has not been given yet"
        case .consentDenied: "consent was refused"
        case .unauthorised: "the server refused the token"
        case .tokenUnavailable: "there is no token to send"
        case .redirected: "the server redirects, and a token is not sent elsewhere"
        case .invalidRequest: "the URL cannot be used"
        case .vaultUnavailable: "the keys cannot be read now"
        case .storeUnavailable: "the data cannot be read or written now"
        case .refused: "the server takes no requests there"
        case .interrupted: "it was called off"
        default: "something is in the way"
        }
    }
}

extension Interval {
    /// The length as a person says it, rounded up.
    var words: String {
        let seconds = milliseconds > 0 ? (milliseconds - 1) / 1000 + 1 : 0
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\((seconds + 59) / 60) min"
        default: return "\((seconds + 3599) / 3600) h"
        }
    }
}
