import CHoldfastBaseline
import Foundation
import Holdfast
import HoldfastInMemory
import HoldfastZlib

/// From sealed rows to a request.
enum DrainBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark("drain: lease + open + body", measure: joining),
            Benchmark("drain: gzip of the body", measure: compressing),
            Benchmark("drain: lease + open + body + gzip", measure: packing),
        ]
    }

    private static func joining(_ name: String, _ bench: Bench) async throws -> Comparison {
        let drain = try await Drain(bench)
        let (encoder, batch) = (JSONEncoder(), try await drain.batch())
        let length = try await drain.body().count
        let result = try await Paired(turns: bench.turns(1000), operations: 1).measure(
            costOfSubject: { try await drain.cost() },
            costOfBaseline: {
                let stopwatch = Paired.Stopwatch()
                let data = try encoder.encode(batch)
                // The same members, so as many bytes, in whatever order.
                guard data.count == length else { throw MeasurementFailure("another batch") }
                return stopwatch.cost(of: 1)
            }
        )
        return Comparison(name, result, against: "JSONEncoder of the same batch", budget: .atMost(0.2))
    }

    private static func compressing(_ name: String, _ bench: Bench) async throws -> Comparison {
        let body = try await Drain(bench).body()
        let compressor = ZlibCompressor()
        let result = try Paired(turns: bench.turns(150), operations: 1).measureOnThread(
            subject: { _ in _ = try compressor.gzip(body) },
            baseline: { _ in try check(baseline_gzip(1, body, body.count, 6)) }
        )
        return Comparison(name, result, .cpu, against: "zlib alone, level 6", budget: .atMost(1.1))
    }

    /// Both together. It has no budget of its own: of what bare C takes to read and open a batch, zlib takes no more than
    /// five times as much, so a tenth over zlib is out of anybody's reach.
    private static func packing(_ name: String, _ bench: Bench) async throws -> Comparison {
        let drain = try await Drain(bench, compressor: ZlibCompressor())
        let body = try await Drain(bench).body()
        let result = try await Paired(turns: bench.turns(150), operations: 1).measure(
            costOfSubject: { try await drain.cost() },
            costOfBaseline: {
                let stopwatch = Paired.Stopwatch()
                try check(baseline_gzip(1, body, body.count, 6))
                return stopwatch.cost(of: 1)
            }
        )
        return Comparison(name, result, against: "zlib alone, level 6", budget: nil)
    }
}

/// A queue of more than one batch, and the courier that delivers it, without a network: each step makes the same body
/// once more.
private struct Drain {
    private let courier: Courier
    private let transport = CatchingTransport()

    init(_ bench: Bench, compressor: any Compressor = NoCompressor()) async throws {
        let world = try await TelemetryWorld(bench)
        let ports = world.ports
        let telemetry = try await world.open()
        for _ in 0..<8 { try await telemetry.store(100) }
        await telemetry.close()
        courier = Courier(
            stream: .telemetry,
            store: ports.journal,
            sealer: Sealer(
                stream: .telemetry,
                ring: KeyRing(stream: .telemetry, vault: ports.vault, random: ports.random),
                cipher: ports.cipher
            ),
            delivery: TelemetryDelivery(
                to: .init(url: "http://127.0.0.1/"),
                tokens: ScriptedTokenProvider(),
                transport: transport,
                compressor: compressor,
                clock: ports.clock
            ),
            clock: ports.clock,
            random: ports.random,
            diagnostics: CollectingDiagnostics(),
            policy: world.policy.courier
        )
    }

    /// What it takes from the beginning of a step until the transport has the request.
    func cost() async throws -> Paired.Cost { try await request().cost }

    /// The body of the first batch.
    func body() async throws -> [UInt8] { try await request().body }

    private func request() async throws -> (body: [UInt8], cost: Paired.Cost) {
        transport.expect()
        _ = await courier.step(ignoringBackOff: true)
        guard let request = transport.take() else { throw MeasurementFailure("nothing is sent") }
        return request
    }

    /// The same batch, decoded.
    func batch() async throws -> WireBatch {
        try JSONDecoder().decode(WireBatch.self, from: Data(try await body()))
    }
}

/// A batch as a host would encode it with Foundation.
private struct WireBatch: Codable {
    struct Payload: Codable {
        var screen: String
        var previous: String
        var ms: Int
        var items: Int
        var offline: Bool
        var ratio: Double
        var build: String
    }

    struct Event: Codable {
        var id: String
        var ts: String
        var type: String
        var payload: Payload
        var sessionId: String
    }

    var events: [Event]
}

/// Keeps the body of a request and when it came, and answers that there is no network.
// The lock guards what changes.
private final class CatchingTransport: Transport, @unchecked Sendable {
    private let lock = NSLock()
    private var stopwatch = Paired.Stopwatch()
    private var caught: (body: [UInt8], cost: Paired.Cost)?

    func expect() { lock.withLock { stopwatch = Paired.Stopwatch() } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        lock.withLock { caught = (request.body, stopwatch.cost(of: 1)) }
        throw TransportError(.offline)
    }

    func take() -> (body: [UInt8], cost: Paired.Cost)? {
        lock.withLock {
            defer { caught = nil }
            return caught
        }
    }
}

/// Compresses nothing, so that bodies go as they are.
private struct NoCompressor: Compressor {
    func gzip(_ bytes: [UInt8]) throws -> [UInt8] { throw CompressionError(platformCode: 0) }
}
