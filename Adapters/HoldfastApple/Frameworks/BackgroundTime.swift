#if canImport(UIKit)
import UIKit

/// A request to the system not to suspend the app yet, from its making until `end`: about 30 seconds, if any.
///
/// Ask before the work begins. When the time is up the system takes it back whatever is done, and ends an app that has
/// not given it back by then; this gives it back itself.
@MainActor
public final class BackgroundTime {
    private let application: UIApplication
    private var identifier = UIBackgroundTaskIdentifier.invalid

    /// Called when the time is up, before it is given back: what still works should stop.
    public var callOff: (@MainActor @Sendable () -> Void)?

    /// Whether the system gives any time, and it is not over.
    public var isGranted: Bool { identifier != .invalid }

    /// Asks for time, under a name that a debugger shows.
    public init(named name: String, in application: UIApplication) {
        self.application = application
        // Held until `end`, so that the time is given back even if nobody else holds this.
        identifier = application.beginBackgroundTask(withName: name) { [self] in
            callOff?()
            end()
        }
    }

    /// Gives the time back. Doing it again does nothing.
    public func end() {
        guard isGranted else { return }
        application.endBackgroundTask(identifier)
        identifier = .invalid
        callOff = nil
    }
}
#endif
