/// Why somebody was not let in. The names are stable and never renumbered.
public enum DenialCode: String, Hashable, Sendable, CaseIterable {
    /// Not a whole ticket.
    case malformed
    /// No format that this gate reads.
    case unsupportedFormat = "unsupported_format"
    /// No keys are installed.
    case noKeys = "no_keys"
    /// The event is not among the installed ones.
    case unknownEvent = "unknown_event"
    /// The key is not among the event's.
    case unknownKey = "unknown_key"
    /// The key was not valid when the ticket was issued.
    case keyNotValid = "key_not_valid"
    /// The key is compromised.
    case keyCompromised = "key_compromised"
    /// The signature does not verify.
    case badSignature = "bad_signature"
    /// The ticket was revoked.
    case revoked
    /// A genuine ticket of another event.
    case wrongEvent = "wrong_event"
    /// Not for this gate's zone.
    case wrongZone = "wrong_zone"
    /// Issued later than now.
    case issuedInFuture = "issued_in_future"
    /// Not valid yet.
    case notYetValid = "not_yet_valid"
    /// No longer valid.
    case expired
    /// Used as often as it may be.
    case alreadyUsed = "already_used"
    /// At an exit: the holder is not inside.
    case notInside = "not_inside"
    /// The clock cannot be trusted, and the policy is to refuse then.
    case clockUntrusted = "clock_untrusted"
    /// The key configuration is older than the policy allows.
    case configStale = "config_stale"
    /// The attempt could not be recorded, so nobody is let in.
    case cannotRecord = "cannot_record"
}
