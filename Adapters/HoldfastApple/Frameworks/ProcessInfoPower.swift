#if canImport(Darwin) || canImport(AppleFoundation)
#if canImport(AppleFoundation)
import AppleFoundation
#endif
import Foundation
import HoldfastDomain

/// Low Power Mode and the device's heat, by `ProcessInfo`. It watches until nobody holds it any more. Safe from any
/// thread.
/// `@unchecked`: the observers are set in `init` and removed in `deinit`; nothing else touches them.
public final class ProcessInfoPower: PowerMonitor, @unchecked Sendable {
    private let status: ChangeBroadcast<PowerStatus>
    private let center: NotificationCenter
    private var observers: [any NSObjectProtocol] = []

    /// Starts watching.
    ///
    /// - Parameter center: Where the system posts; another one in tests.
    public init(center: NotificationCenter = .default) {
        self.center = center
        // Reading the thermal state once is what makes the system post its changes.
        status = ChangeBroadcast(.now)
        let changes = [
            Notification.Name.NSProcessInfoPowerStateDidChange, ProcessInfo.thermalStateDidChangeNotification,
        ]
        observers = changes.map { name in
            // Posted on any queue: nothing here may assume the main one.
            center.addObserver(forName: name, object: nil, queue: nil) { [status] _ in status.send(.now) }
        }
    }

    deinit { for observer in observers { center.removeObserver(observer) } }

    /// The status now.
    public func current() -> PowerStatus { .now }

    /// Every change from now on.
    public func changes() -> AsyncStream<PowerStatus> { status.changes() }
}

extension PowerStatus {
    fileprivate static var now: PowerStatus {
        let info = ProcessInfo.processInfo
        return PowerStatus(
            isLowPowerModeEnabled: info.isLowPowerModeEnabled,
            thermalState: info.thermalState.rawValue
        )
    }
}
#endif
