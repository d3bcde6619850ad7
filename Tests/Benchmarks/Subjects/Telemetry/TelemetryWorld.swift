import Holdfast
import HoldfastInMemory
import HoldfastKit

/// Telemetry on this platform's adapters in a folder of its own. It sends only when it is asked to.
struct TelemetryWorld {
    /// A payload such as apps log.
    static let payload: PayloadObject = [
        "screen": "orders.detail", "previous": "orders.list", "ms": 182, "items": 14, "offline": true, "ratio": 0.75,
        "build": "4.2.0 (1187)",
    ]

    var ports: TelemetryPorts
    var policy = TelemetryPolicy()

    init(directory: String) async throws {
        ports = try await TelemetryPorts.platform(directory: directory, diagnostics: CollectingDiagnostics())
        policy.schedule.isAutomatic = false
    }

    init(_ bench: Bench) async throws { try await self.init(directory: bench.folder("telemetry")) }

    func open(endpoint: String = "http://127.0.0.1:9/") async throws -> Telemetry {
        try await Telemetry(endpoint: endpoint, token: ScriptedTokenProvider(), policy: policy, ports: ports)
    }

    /// An event as `log` makes it, for what is measured below the facade.
    func encodedEvent() throws -> (event: TelemetryEvent, json: [UInt8]) {
        let event = TelemetryEvent(
            id: EntryID(random: ports.random),
            timestamp: ports.clock.now().wall,
            type: "screen.view",
            payload: Self.payload,
            sessionID: "5f0c8a52-7d0e-4b56-9a52-3d2f6f1f7a10"
        )
        return (event, try event.encoded())
    }
}

extension Telemetry {
    /// Logs so many events and waits until they are durable.
    func store(_ count: Int) async throws {
        for _ in 0..<count {
            guard case .taken = log("screen.view", TelemetryWorld.payload) else {
                throw MeasurementFailure("an event is refused")
            }
        }
        try await persist()
    }
}
