import HoldfastDomain

extension PowerStatus {
    /// What Low Power Mode and a `ProcessInfo.ThermalState`, by its number (nominal 0, fair 1, serious 2, critical 3),
    /// mean to a delivery: from *serious* on, work waits. (Apple's advice for *serious*: reduce the use of the network.)
    init(isLowPowerModeEnabled: Bool, thermalState: Int) {
        self.init(isLowPower: isLowPowerModeEnabled, isUnderThermalPressure: thermalState >= 2)
    }
}
