import HoldfastDomain

extension DenialCode {
    /// The reason as the person at the gate should read it.
    var words: String {
        switch self {
        case .malformed: "not a whole ticket"
        case .unsupportedFormat: "not a ticket of a kind this gate reads"
        case .noKeys: "no keys are installed at this gate"
        case .unknownEvent: "a ticket of an event this gate does not know"
        case .unknownKey: "signed with a key this gate does not know"
        case .keyNotValid: "signed with a key that was not valid then"
        case .keyCompromised: "signed with a key that was stolen"
        case .badSignature: "the signature is not genuine"
        case .revoked: "the ticket was revoked"
        case .wrongEvent: "a ticket of another event"
        case .wrongZone: "not for this zone"
        case .issuedInFuture: "issued later than now; check the clock"
        case .notYetValid: "not valid yet"
        case .expired: "no longer valid"
        case .alreadyUsed: "used already"
        case .notInside: "the holder is not inside"
        case .clockUntrusted: "this device's clock cannot be trusted"
        case .configStale: "the keys at this gate are too old"
        case .cannotRecord: "the attempt cannot be recorded"
        }
    }
}
