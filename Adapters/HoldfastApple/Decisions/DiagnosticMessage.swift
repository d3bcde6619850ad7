import HoldfastDomain

/// How grave a diagnostic event is, in the words of a system log.
enum DiagnosticLevel: Hashable, Sendable { case info, `default`, error, fault }

extension DiagnosticEvent {
    /// Expected offline and under load: info. Something to look at: default or error. Something lost: fault.
    var level: DiagnosticLevel {
        switch code {
        case .deliveryFailed: return .info
        case .vaultUnavailable, .storeFailed, .configurationUnreadable: return .error
        case .storeSalvaged, .journalLost, .secretLost, .keysLost: return .fault
        case .entryUndecryptable, .recordFailed, .entriesDropped: return .fault
        default: return .default
        }
    }

    /// The event as a log line: its stable name and numbers, which are all it has, and so nothing private.
    var message: String {
        let platform = platformCode.map { " platform=\($0)" } ?? ""
        return "\(code.rawValue) count=\(count)\(platform)"
    }
}
