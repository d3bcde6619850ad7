import HoldfastDomain

/// The sentence that tells a person what went wrong, without a full stop.
func explain(_ error: any Error) -> String {
    switch error {
    case let failure as CommandFailure: failure.message
    case let error as QueueStoreError: withNumber(error.code.words, error.platformCode)
    case let error as KeyVaultError: withNumber(error.code.words, error.platformCode)
    case let error as TransportError: withNumber(error.code.words, error.platformCode)
    case let error as CryptoError: withNumber(error.code.words, error.platformCode)
    case let error as TelemetryError: error.words
    case let error as GateFailure: error.words
    case let error as JSONError: "not strict JSON: \(error.words)"
    case let error as ConfigurationError:
        error.path.isEmpty ? error.code.words : "\(error.code.words): \(error.path)"
    case is NobodyReads: "the answer cannot be written: nobody reads it any more"
    case is CancellationError: "it was called off"
    default: "something failed that should not (\(type(of: error)))"
    }
}

/// The words, with the platform's number behind them if there is one.
func withNumber(_ words: String, _ number: Int?) -> String { number.map { "\(words) (\($0))" } ?? words }

extension TelemetryError {
    /// The refusal in words.
    fileprivate var words: String {
        switch code {
        case .emptyType: "the type is empty"
        case .typeTooLong: "the type has more than \(TelemetryLimits.maxTypeBytes) bytes"
        case .invalidSession: "the session's id is not 1 to \(TelemetryLimits.maxSessionBytes) bytes"
        case .nonFiniteNumber: "the payload holds a number that JSON cannot say"
        case .tooDeep: "the payload is nested deeper than \(TelemetryLimits.maxDepth)"
        case .inexactNumber: "the payload holds a number that would lose digits"
        case .duplicateMember: "the payload has a member twice"
        case .notAnObject: "the payload is no object"
        case .unencodable: "the payload cannot be written as JSON"
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
        case .erased: "everything was erased while the event was under way"
        case .closed: "telemetry has been closed"
        default: "the event was not taken"
        }
    }
}

extension QueueStoreError.Code {
    /// The kind in words.
    var words: String {
        switch self {
        case .busy: "another process keeps the data locked; try again"
        case .full: "the disk is full"
        case .readOnly: "the data can be read but not written"
        case .inputOutput: "the disk failed to read or write"
        case .cannotOpen: "the data cannot be opened or made there"
        case .noDirectory: "the directory for the data does not exist"
        case .corrupt: "the data is damaged"
        case .newerVersion: "the data was written by a newer version of holdfast"
        case .notAJournal: "the file is a database of something else, and was left alone"
        case .alreadyOpen: "the data is open in this process already"
        case .closed: "the data has been closed"
        case .libraryFailure: "the database library failed"
        default: "the data cannot be used"
        }
    }
}

extension KeyVaultError.Code {
    /// The kind in words.
    var words: String {
        switch self {
        case .unavailable: "the key vault cannot be used now"
        case .damaged: "a key in the vault is damaged: restore it from a backup, or make a new one with rotate-key"
        case .denied: "this user may not use the key vault"
        case .readOnly: "the key vault can be read but not written, and a key is to be stored there"
        case .lost:
            "the key vault has lost the secret by which used tickets are known: restore the vault, or hand the records over "
                + "and move the data directory aside to begin anew"
        case .invalidName: "the key vault refused the name of a key"
        default: "the key vault failed"
        }
    }
}

extension TransportError.Code {
    /// The kind in words.
    fileprivate var words: String {
        switch self {
        case .offline: "there is no network"
        case .nameNotResolved: "the server's name is not known"
        case .connectionFailed: "the connection to the server was refused or lost"
        case .tlsFailed: "no secure connection could be made: the server is not trusted, or speaks no TLS"
        case .timedOut: "the server did not answer in time"
        case .invalidRequest: "the URL cannot be used"
        case .invalidResponse: "the server's answer is not HTTP"
        case .cancelled: "the request was called off"
        default: "the request failed"
        }
    }
}

extension CryptoError.Code {
    /// The kind in words.
    var words: String {
        switch self {
        case .notAuthentic: "what is stored is not what was stored there, or not under this key"
        case .keyAbsent: "the key is gone from the vault"
        case .libraryFailure: "the cryptographic library failed"
        default: "a cryptographic operation failed"
        }
    }
}

extension JSONError {
    /// The fault in words, and where it is.
    fileprivate var words: String {
        let what =
            switch code {
            case .unexpectedEnd: "it ends too early"
            case .unexpectedByte: "there is something where it may not be"
            case .invalidUTF8: "a text is not UTF-8"
            case .controlCharacter: "a text has a control character in it"
            case .invalidEscape: "a text has an escape that is none"
            case .loneSurrogate: "a text has half a character in it"
            case .duplicateMember: "a member is there twice"
            case .tooDeep: "it is nested too deep"
            case .numberRange: "a number is too large or too fine"
            default: "it is not well formed"
            }
        return offset.map { "\(what), at byte \($0)" } ?? what
    }
}
