/// Why an event was not taken, or a request to telemetry could not be met. It never says what the event held.
public struct TelemetryError: Error, Hashable, Sendable {
    /// The kind of refusal; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// The type is empty.
        public static let emptyType = Code("empty_type")
        /// The type has more than `TelemetryLimits.maxTypeBytes` bytes.
        public static let typeTooLong = Code("type_too_long")
        /// The session id is empty or has more than `TelemetryLimits.maxSessionBytes` bytes.
        public static let invalidSession = Code("invalid_session")
        /// The payload holds NaN or an infinity, which JSON cannot say.
        public static let nonFiniteNumber = Code("non_finite_number")
        /// The payload holds a number that would lose digits on the wire.
        public static let inexactNumber = Code("inexact_number")
        /// The payload is nested deeper than `TelemetryLimits.maxDepth`.
        public static let tooDeep = Code("too_deep")
        /// An object in the payload has two members of one name.
        public static let duplicateMember = Code("duplicate_member")
        /// A value did not encode itself as a JSON object.
        public static let notAnObject = Code("not_an_object")
        /// A value threw an error of its own while it was encoded.
        public static let unencodable = Code("unencodable")
        /// A batch of this event alone would be larger than a body may be.
        public static let tooLarge = Code("too_large")
        /// Too many events wait in memory for the disk or the keys.
        public static let bufferFull = Code("buffer_full")
        /// The user refused that events are collected.
        public static let consentDenied = Code("consent_denied")
        /// The event could not be made durable; `cause` says why.
        public static let notStored = Code("not_stored")
        /// The events were erased before this one was durable.
        public static let erased = Code("erased")
        /// Telemetry was closed.
        public static let closed = Code("closed")
    }

    /// What lies behind an event that could not be stored.
    public enum Cause: Hashable, Sendable {
        /// The journal failed.
        case store(QueueStoreError)
        /// The keys cannot be read or made now.
        case vault(KeyVaultError)
        /// The cipher failed.
        case cipher(CryptoError)
        /// Anything else an adapter threw.
        case other
    }

    /// The kind of refusal.
    public var code: Code
    /// What lies behind it, for `.notStored`.
    public var cause: Cause?

    /// A refusal of this kind.
    public init(_ code: Code, cause: Cause? = nil) {
        self.code = code
        self.cause = cause
    }

    /// Under which reason the ledger counts an event that was refused so.
    public var lossReason: LossReason {
        switch code {
        case .tooLarge: return .oversize
        case .bufferFull: return .overflow
        case .consentDenied, .erased: return .consent
        default: return .invalid
        }
    }
}

extension TelemetryError: CustomStringConvertible {
    /// The kind and the cause, and nothing of the event.
    public var description: String {
        let kind = "telemetry: \(code.rawValue)"
        switch cause {
        case .store(let error)?: return "\(kind), \(error)"
        case .vault(let error)?: return "\(kind), \(error)"
        case .cipher(let error)?: return "\(kind), \(error)"
        case .other?, nil: return kind
        }
    }
}
