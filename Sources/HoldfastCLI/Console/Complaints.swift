import Holdfast

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
    var words: String? {
        switch code {
        case .recordFailed, .deliveryFailed, .secretLost: nil
        case .journalLost: "the journal is gone, and a new one takes its place; what was in it is not known any more"
        case .storeSalvaged where count == 0: "a damaged database was moved aside; what is lost is not known"
        case .storeSalvaged: "a damaged database was moved aside; at least \(count) of its entries are lost"
        case .storeFailed: "the data could not be read or written"
        case .storeAwaited: "another process has the data directory locked; waiting for it"
        case .vaultUnavailable: "the key vault could not be used"
        case .keysLost: "\(count) records cannot be opened: their key is gone from the vault, or damaged"
        case .configurationUnreadable: "the configuration that is stored cannot be opened, and is not in force"
        case .entryUndecryptable: "\(count) entries could not be opened and were set aside"
        case .entriesDropped: "\(count) entries were dropped by a limit, and counted"
        case .admittedUnrecorded: "\(count) were let in before it could be recorded"
        default: "something was noticed that has no name here"
        }
    }
}
