import HoldfastDomain

/// Keeps every diagnostic event, for a test to look at. Safe to use from any thread.
public final class CollectingDiagnostics: DiagnosticSink {
    private let collected = Locked<[DiagnosticEvent]>([])

    /// A sink that holds nothing yet.
    public init() {}

    /// Keeps one event.
    public func record(_ event: DiagnosticEvent) { collected.withLock { $0.append(event) } }

    /// Everything recorded so far, in order.
    public var events: [DiagnosticEvent] { collected.withLock { $0 } }

    /// How many entries the events of one kind concern in all.
    public func count(of code: DiagnosticEvent.Code) -> Int {
        events.reduce(0) { $1.code == code ? $0 + $1.count : $0 }
    }
}
