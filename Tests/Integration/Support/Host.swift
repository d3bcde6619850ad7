import HoldfastInMemory
import HoldfastKit

/// A host that runs in the test's own process, on this platform's adapters.
struct Host {
    /// What telemetry may do.
    var policy = TelemetryPolicy()
    /// The host's tokens.
    var tokens = ScriptedTokenProvider(nil)
    private let ports: TelemetryPorts

    /// A host whose data is in this directory, and which reports no losses of its own accord.
    init(data: String) async throws {
        ports = try await .platform(directory: data, diagnostics: CollectingDiagnostics())
        policy.reportsLosses = false
        policy.commitInterval = .zero
    }

    /// Telemetry that sends to `url`.
    func open(to url: String) async throws -> Telemetry {
        try await Telemetry(endpoint: url, token: tokens, policy: policy, ports: ports)
    }
}
