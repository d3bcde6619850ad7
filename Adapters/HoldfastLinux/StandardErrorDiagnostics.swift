import Glibc
import HoldfastDomain

/// Writes what the package noticed to standard error, one line an event: `holdfast: store_failed count=1 code=13`.
///
/// Each line is one write, so that lines of several threads do not mix. Safe to use from any thread.
public struct StandardErrorDiagnostics: DiagnosticSink {
    private let descriptor: Int32

    /// A sink that writes to standard error.
    public init() { self.init(descriptor: STDERR_FILENO) }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes one event.
    public func record(_ event: DiagnosticEvent) {
        let code = event.platformCode.map { " code=\($0)" } ?? ""
        let line = Array("holdfast: \(event.code.rawValue) count=\(event.count)\(code)\n".utf8)
        // A log that cannot be written is nobody's to report to.
        _ = write(descriptor, line, line.count)
    }
}
