import Foundation

/// What else there is to know of a run: how busy the machine is with other things.
struct Machine {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    /// How many threads wanted a CPU on average over the last minute (proc_loadavg(5)); nil if that is not known.
    let load = try? Double(
        String(contentsOfFile: "/proc/loadavg", encoding: .utf8).split(separator: " ").first.map(String.init) ?? ""
    )

    var text: String {
        let load = load.map { String(format: "%.2f", $0) } ?? "unknown"
        return "\(cores) cores, load \(load) over the last minute"
    }
}

/// What this process takes in memory (proc_pid_status(5)).
enum Memory {
    /// The resident bytes now.
    static func resident() throws -> Double { try field("VmRSS:") }

    /// The most bytes that were resident since `forgetPeak`.
    static func peak() throws -> Double { try field("VmHWM:") }

    /// Makes the peak what is resident now (proc_pid_clear_refs(5)).
    static func forgetPeak() throws { try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

    private static func field(_ name: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else {
            throw MeasurementFailure("no \(name) in /proc/self/status")
        }
        return kibibytes * 1024
    }
}
