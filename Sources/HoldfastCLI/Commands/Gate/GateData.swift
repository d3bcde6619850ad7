import Glibc
import HoldfastKit

/// The gate's part of a data directory.
struct GateData {
    /// The option that every gate command has.
    static let option = CommandSyntax.Option("--data", "DIR", is: .required, "the gate's data directory")

    /// The directory.
    let path: String

    private let console = Console()

    /// The directory that `--data` names.
    init(_ arguments: Arguments) throws {
        path = try arguments.required("--data")
        guard !path.isEmpty else { throw UsageError("--data is empty") }
    }

    /// The policy of a gate with a disk of its own: records stay for more than a year after they were handed over.
    static let policy: GatePolicy = {
        var policy = GatePolicy()
        policy.keepDeliveredFor = .days(400)
        policy.keepRejectedFor = .days(400)
        return policy
    }()

    /// A gate that nobody passes: for commands that only look after the data.
    private static let nowhere = GatePlace(event: "", zone: "")

    /// Opens the gate, and makes the directory if need be.
    func open(
        at place: GatePlace = nowhere,
        policy: GatePolicy = policy,
        fixingWallAt wall: Timestamp? = nil
    ) async throws -> TicketGate {
        var ports = try await GatePorts.platform(directory: path, diagnostics: Complaints(console: console))
        if let wall { ports.clock = FixedWallClock(wall: wall, over: ports.clock) }
        return try await TicketGate(at: place, policy: policy, ports: ports)
    }

    /// Opens the gate for a command that makes none: a name that was mistyped is not to become a gate without keys. Where
    /// only the journal is gone, opening says so.
    func openMade(at place: GatePlace, policy: GatePolicy, fixingWallAt wall: Timestamp?) async throws -> TicketGate {
        guard ["gate.sqlite", "vault"].contains(where: { access("\(path)/\($0)", F_OK) == 0 }) else {
            throw CommandFailure("there is no gate in \(path); gate install-config FILE --data \(path) makes one")
        }
        return try await open(at: place, policy: policy, fixingWallAt: wall)
    }

    /// Opens the gate for a command that has nothing to do where nothing was ever recorded or installed.
    func openExisting(at place: GatePlace = nowhere) async throws -> TicketGate {
        guard access("\(path)/gate.sqlite", F_OK) == 0 else {
            throw CommandFailure("there is no gate data in \(path): \(reason(errno))")
        }
        return try await open(at: place)
    }
}

/// A clock whose time of day stands still, for tests and rehearsals; uptime runs on.
struct FixedWallClock: DeviceClock {
    /// The time of day.
    let wall: Timestamp
    /// The clock that knows uptime and boot.
    let base: any DeviceClock

    /// A clock that always says `wall`.
    init(wall: Timestamp, over base: any DeviceClock) {
        self.wall = wall
        self.base = base
    }

    func now() -> ClockReading {
        var reading = base.now()
        reading.wall = wall
        return reading
    }
}
