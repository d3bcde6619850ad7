#if canImport(os)
import HoldfastDomain
import os

/// Writes diagnostic events to the system's log. Safe from any thread; returns at once.
public struct LoggerDiagnosticSink: DiagnosticSink {
    private let logger: Logger

    /// A sink that logs under this subsystem, usually the app's bundle identifier.
    public init(subsystem: String, category: String = "holdfast") {
        logger = Logger(subsystem: subsystem, category: category)
    }

    /// Logs the event. The line is public because an event holds nothing private.
    public func record(_ event: DiagnosticEvent) {
        logger.log(level: OSLogType(event.level), "\(event.message, privacy: .public)")
    }
}

extension OSLogType {
    fileprivate init(_ level: DiagnosticLevel) {
        switch level {
        case .info: self = .info
        case .default: self = .default
        case .error: self = .error
        case .fault: self = .fault
        }
    }
}
#endif
