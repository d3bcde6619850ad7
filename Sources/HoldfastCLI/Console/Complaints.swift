import HoldfastDomain

/// Tells what the package noticed as sentences on standard error, where the command's own answer does not say it.
struct Complaints: DiagnosticSink {
    /// Whose standard error.
    let console: Console

    func record(_ event: DiagnosticEvent) {
        guard let words = event.words else { return }
        console.complain(event.platformCode.map { "\(words) (\($0))" } ?? words)
    }
}

extension DiagnosticEvent {
    /// The event in words; nil where each command's answer tells it anyway.
    fileprivate var words: String? {
        switch code {
        case .recordFailed, .deliveryFailed: nil
        case .storeSalvaged: "a damaged database was moved aside; \(count) entries are known to be lost"
        case .storeFailed: "the data could not be read or written"
        case .vaultUnavailable: "the key vault could not be reached"
        case .entryUndecryptable: "\(count) entries could not be opened and were set aside"
        case .entriesDropped: "\(count) entries were dropped by a limit, and counted"
        default: code.rawValue
        }
    }
}
