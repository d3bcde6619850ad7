import Glibc
import HoldfastKit

/// Telemetry's part of a data directory.
struct TelemetryData {
    /// The option that every telemetry command has.
    static let option = CommandSyntax.Option("--data", "DIR", is: .required, "telemetry's data directory")

    /// The directory.
    let path: String

    private let console = Console()

    /// The directory that `--data` names.
    init(_ arguments: Arguments) throws {
        path = try arguments.required("--data")
        guard !path.isEmpty else { throw UsageError("--data is empty") }
    }

    /// Opens telemetry for a command that sends nothing, and makes the directory if need be.
    func open() async throws -> Telemetry {
        var policy = TelemetryPolicy()
        policy.schedule.isAutomatic = false
        policy.commitInterval = .zero
        return try await Telemetry(endpoint: "", policy: policy, ports: try await ports())
    }

    /// Opens telemetry for a command that has nothing to do where nothing was ever logged.
    func openExisting() async throws -> Telemetry {
        try checkExists()
        return try await open()
    }

    /// Fails where nothing was ever logged.
    func checkExists() throws {
        guard access("\(path)/telemetry.sqlite", F_OK) == 0 else {
            throw CommandFailure("there is no telemetry data in \(path): \(reason(errno))")
        }
    }

    /// This platform's ports over the directory.
    func ports() async throws -> TelemetryPorts {
        try await TelemetryPorts.platform(directory: path, diagnostics: Complaints(console: console))
    }
}
