import Glibc
import HoldfastDomain

/// Reads the kernel's files on power supplies (Documentation/ABI/testing/sysfs-class-power) and thermal zones
/// (Documentation/ABI/testing/sysfs-class-thermal).
struct PowerReading: Sendable {
    let root: String
    let lowBattery: Int

    func status() -> PowerStatus { PowerStatus(isLowPower: isLowOnBattery, isUnderThermalPressure: isHot) }

    /// Whether a battery that drives the device is low, with nothing else to drive it.
    private var isLowOnBattery: Bool {
        let supplies = entries(of: "power_supply")
        let isPluggedIn = supplies.contains { text("\($0)/type") != "Battery" && number("\($0)/online") ?? 0 > 0 }
        return !isPluggedIn
            && supplies.contains { supply in
                // Of scope `Device` are the batteries of mice and pens.
                text("\(supply)/type") == "Battery" && text("\(supply)/scope") != "Device"
                    && text("\(supply)/status") == "Discharging"
                    && number("\(supply)/capacity") ?? 100 <= lowBattery
            }
    }

    /// Whether a zone has reached a point at which the kernel itself slows the device down, or would stop it.
    private var isHot: Bool {
        entries(of: "thermal").contains { zone in
            guard let temperature = number("\(zone)/temp") else { return false }
            return (0..<16).contains { point in
                guard ["passive", "hot", "critical"].contains(text("\(zone)/trip_point_\(point)_type")),
                    let limit = number("\(zone)/trip_point_\(point)_temp"), limit > 0
                else { return false }
                return temperature >= limit
            }
        }
    }

    private func entries(of kind: String) -> [String] {
        let path = "\(root)/\(kind)"
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append("\(path)/\(name)") }
        }
        return names
    }

    private func text(_ path: String) -> String { TextFile.firstLine(of: path) ?? "" }

    private func number(_ path: String) -> Int? { Int(text(path)) }
}
