import Holdfast
import HoldfastInMemory
import HoldfastKit

/// Telemetry on this platform's adapters in a folder of its own. It sends only when it is asked to.
struct TelemetryWorld {
    private static let screens = ["orders.list", "orders.detail", "profile", "search.results", "settings.network"]

    /// A payload such as apps log, which differs from number to number as theirs do.
    static func payload(_ number: Int = 0) -> PayloadObject {
        let mixed = number &* 7919 % 100_003
        return [
            "screen": .string(screens[mixed % 5]), "previous": .string(screens[mixed % 7 % 5]),
            "ms": .integer(Int64(100 + mixed % 900)), "items": .integer(Int64(10 + mixed % 83)), "offline": true,
            "ratio": .double(Double(1 + mixed % 9 + mixed % 9973 * 10) / 100_000), "build": "4.2.0 (1187)",
        ]
    }

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
            payload: Self.payload(),
            sessionID: "5f0c8a52-7d0e-4b56-9a52-3d2f6f1f7a10"
        )
        return (event, try event.encoded())
    }
}

extension Telemetry {
    /// Logs so many events and waits until they are durable.
    func store(_ count: Int) async throws {
        for number in 0..<count {
            guard case .taken = log("screen.view", TelemetryWorld.payload(number)) else {
                throw MeasurementFailure("an event is refused")
            }
        }
        try await persist()
    }
}
