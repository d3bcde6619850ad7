import HoldfastDomain

/// The sentence that tells a person what went wrong, without a full stop.
func explain(_ error: any Error) -> String {
    switch error {
    case let failure as CommandFailure: failure.message
    case let error as QueueStoreError: withNumber(error.code.words, error.platformCode)
    case let error as KeyVaultError: withNumber(error.code.words, error.platformCode)
    case let error as TransportError: withNumber(error.code.words, error.platformCode)
    case let error as CryptoError: withNumber("the cryptographic library failed", error.platformCode)
    case let error as TelemetryError: error.words
    case let error as JSONError: "not strict JSON (\(error.code.rawValue))"
    case let error as ConfigurationError:
        error.path.isEmpty ? error.code.words : "\(error.code.words): \(error.path)"
    default: "\(error)"
    }
}

private func withNumber(_ words: String, _ number: Int?) -> String { number.map { "\(words) (\($0))" } ?? words }

extension TelemetryError {
    /// The refusal in words.
    fileprivate var words: String {
        switch code {
        case .emptyType: "the type is empty"
        case .typeTooLong: "the type has more than \(TelemetryLimits.maxTypeBytes) bytes"
        case .invalidSession: "the session's id is not 1 to \(TelemetryLimits.maxSessionBytes) bytes"
        case .nonFiniteNumber: "the payload holds a number that JSON cannot say"
        case .tooDeep: "the payload is nested deeper than \(TelemetryLimits.maxDepth)"
        case .duplicateMember: "the payload has a member twice"
        case .tooLarge: "the event is larger than a batch may be"
        case .bufferFull: "too many events wait to be stored"
        case .consentDenied: "consent was refused, so nothing is taken"
        case .notStored:
            switch cause {
            case .store(let error)?: explain(error)
            case .vault(let error)?: explain(error)
            case .cipher(let error)?: explain(error)
            case .other?, nil: "the event cannot be stored"
            }
        default: "the event was not taken: \(code.rawValue)"
        }
    }
}

extension QueueStoreError.Code {
    /// The kind in words.
    fileprivate var words: String {
        switch self {
        case .busy: "another process keeps the data locked; try again"
        case .full: "the disk is full"
        case .readOnly: "the data can be read but not written"
        case .inputOutput: "the disk failed to read or write"
        case .cannotOpen: "the data cannot be opened or made there"
        case .corrupt: "the data is damaged"
        case .newerVersion: "the data was written by a newer version of holdfast"
        default: "the data cannot be used: \(rawValue)"
        }
    }
}

extension KeyVaultError.Code {
    /// The kind in words.
    fileprivate var words: String {
        switch self {
        case .unavailable: "the key vault cannot be used now"
        case .damaged: "a key in the vault is damaged"
        case .denied: "this user may not use the key vault"
        default: "the key vault cannot be used: \(rawValue)"
        }
    }
}

extension TransportError.Code {
    /// The kind in words.
    fileprivate var words: String {
        switch self {
        case .offline: "there is no network"
        case .nameNotResolved: "the server's name is not known"
        case .connectionFailed: "the server cannot be reached"
        case .tlsFailed: "the server's certificate is not trusted"
        case .timedOut: "the server did not answer in time"
        case .invalidRequest: "the URL cannot be used"
        case .invalidResponse: "the server's answer is not HTTP"
        default: "the request failed: \(rawValue)"
        }
    }
}

extension ConfigurationError.Code {
    /// The kind in words.
    fileprivate var words: String {
        switch self {
        case .malformed: "the configuration is not strict JSON, nor its signed compact form"
        case .tooLarge: "the configuration is too large"
        case .missingMember: "the configuration lacks a member"
        case .invalidMember: "the configuration has a member of the wrong kind"
        case .empty: "the configuration has no events, or an event without keys"
        case .invalidKey: "the configuration has a key that is not 32 bytes in base64url"
        case .weakKey: "the configuration has a key under which anybody can forge"
        case .unsigned: "the configuration is not signed"
        case .badSignature: "the configuration is not signed by the trusted key"
        case .olderVersion: "a newer configuration is installed already"
        case .sameVersionDifferentContent: "another configuration of the same version is installed already"
        default: "the configuration is not valid (\(rawValue))"
        }
    }
}
