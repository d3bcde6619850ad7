import Foundation

// What Apple's Foundation has and Linux's lacks. On Apple's platforms `import Foundation` brings it into scope.

extension ProcessInfo {
    /// How hot the device is.
    public enum ThermalState: Int, Sendable {
        /// As it should be.
        case nominal
        /// Warm.
        case fair
        /// Hot: work should be put off.
        case serious
        /// Very hot.
        case critical
    }

    /// Posted when the thermal state changes; only after it has been read once.
    @available(iOS 11.0, macOS 10.10.3, *)
    public class var thermalStateDidChangeNotification: NSNotification.Name {
        NSNotification.Name("NSProcessInfoThermalStateDidChangeNotification")
    }

    /// Whether Low Power Mode is on.
    @available(iOS 9.0, macOS 12.0, *)
    public var isLowPowerModeEnabled: Bool { StandInPower.current.isLowPower }

    /// How hot the device is.
    @available(iOS 11.0, macOS 10.10.3, *)
    public var thermalState: ThermalState { StandInPower.current.readThermalState() }
}

extension NSNotification.Name {
    /// Posted when Low Power Mode changes, on a global queue.
    @available(iOS 9.0, macOS 12.0, *)
    public static let NSProcessInfoPowerStateDidChange = NSNotification.Name("NSProcessInfoPowerStateDidChange")
}

/// The power and the heat of the pretended device.
/// `@unchecked`: its state is read and written under the lock.
@_spi(StandIn)
public final class StandInPower: @unchecked Sendable {
    /// The one of this process.
    public static let current = StandInPower()
    private let lock = NSLock()
    private var lowPower = false
    private var thermal = ProcessInfo.ThermalState.nominal
    private var thermalWasRead = false
    private init() {}

    /// Whether Low Power Mode is on. A change is posted on a global queue, as documented, never on main.
    public var isLowPower: Bool {
        get { lock.withLock { lowPower } }
        set {
            lock.withLock { lowPower = newValue }
            post(.NSProcessInfoPowerStateDidChange)
        }
    }

    /// Heats or cools the device; posted only if somebody has read the state before.
    public func setThermalState(_ state: ProcessInfo.ThermalState) {
        let wasRead: Bool = lock.withLock {
            thermal = state
            return thermalWasRead
        }
        if wasRead { post(ProcessInfo.thermalStateDidChangeNotification) }
    }

    func readThermalState() -> ProcessInfo.ThermalState {
        lock.withLock {
            thermalWasRead = true
            return thermal
        }
    }

    private func post(_ name: NSNotification.Name) {
        DispatchQueue.global().async { NotificationCenter.default.post(name: name, object: nil) }
    }
}
