import HoldfastDomain

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Who holds a lease: one open store in one process. A process that is gone holds nothing. Used by one thread at a time.
final class Holder {
    /// Unlike that of any other store ever opened; lease ids begin with it.
    let token: String
    let process: Int64
    /// When the process started, so that a later one with the same number is not taken for it; empty if unknown.
    let started: String
    private var leases = 0

    init(token: String) {
        self.token = token
        process = Int64(getpid())
        started = Self.start(of: getpid())
    }

    /// A lease id that no other store has given out.
    func nextLease() -> Lease.ID {
        leases += 1
        return Lease.ID("\(token)-\(leases)")
    }

    /// Whether the one who took a lease may still be at work on it.
    func lives(_ lease: LeaseRow) -> Bool {
        if lease.id.hasPrefix(token + "-") { return true }
        // Of this process, but an earlier store: one path is never open twice in a process.
        if lease.process == process { return false }
        guard let number = pid_t(exactly: lease.process), number > 0 else { return false }
        // Without permission to signal it, it exists.
        if kill(number, 0) != 0, errno == ESRCH { return false }
        let current = Self.start(of: number)
        return current.isEmpty || lease.started.isEmpty || current == lease.started
    }

    #if canImport(Darwin)
    private static func start(of process: pid_t) -> String {
        var names = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
        var info = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        // In a sandbox it may be refused for other processes; then their numbers have to do.
        guard sysctl(&names, u_int(names.count), &info, &size, nil, 0) == 0, size > 0 else { return "" }
        let start = info.kp_proc.p_un.__p_starttime
        return "\(start.tv_sec).\(start.tv_usec)"
    }
    #else
    private static func start(of process: pid_t) -> String {
        // Field 22, in clock ticks since boot (proc(5)); the second field, a name in parentheses, may hold anything.
        guard let line = contents(of: "/proc/\(process)/stat"), let boot = contents(of: bootPath) else { return "" }
        let fields = line[line.index(after: line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
        return fields.count > 19 ? "\(boot.prefix(36)) \(fields[19])" : ""
    }

    private static let bootPath = "/proc/sys/kernel/random/boot_id"

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = fread(&buffer, 1, buffer.count, file)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
    #endif
}
