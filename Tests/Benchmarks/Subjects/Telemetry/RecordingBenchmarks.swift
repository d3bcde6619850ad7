import CHoldfastBaseline
import Holdfast
import HoldfastOpenSSL

/// From an event to a sealed row that is durable.
enum RecordingBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark("seal + open, 300 B", measure: sealing),
            Benchmark("event → sealed → durable, 100 a transaction (NORMAL)", measure: storing),
            Benchmark("log → durable, 100 a transaction (NORMAL)", measure: logging),
            Benchmark("record → durable, one a transaction (FULL)", measure: grouping),
            Benchmark("log → durable, queue nearly full", measure: filling),
            Benchmark("log → durable, queue full, oldest dropped", measure: dropping),
        ]
    }

    private static let group = 100

    private static func sealing(_ name: String, _ bench: Bench) async throws -> Comparison {
        let cipher = try OpenSSLCipher()
        let key = SymmetricKey(random: OpenSSLRandom())
        let plain = [UInt8](repeating: 0x5a, count: 300)
        let binding = [UInt8](repeating: 0x42, count: 90)
        let result = try Paired(turns: bench.turns(300), operations: 500).measureOnThread(
            subject: { count in
                for _ in 0..<count {
                    let sealed = try cipher.seal(plain, with: key, binding: binding)
                    guard try cipher.open(sealed, with: key, binding: binding).count == plain.count else {
                        throw MeasurementFailure("not opened")
                    }
                }
            },
            baseline: { try check(baseline_seal_open(Int32($0), binding, binding.count, plain.count)) }
        )
        return Comparison(name, result, .cpu, against: "a reused OpenSSL context", budget: .atMost(1.3))
    }

    /// What the writer does with events that their callers have encoded. A turn begins with new files and is long enough
    /// for the log to be copied into the file once, on either side; ours does that on another thread, and is waited for.
    private static func storing(_ name: String, _ bench: Bench) async throws -> Comparison {
        let event = try await TelemetryWorld(bench).encodedEvent()
        let groups = 120
        let result = try await Paired(turns: bench.turns(40), operations: groups * group).measure(
            costOfSubject: {
                let ports = try await TelemetryWorld(bench).ports
                let ring = KeyRing(stream: .telemetry, vault: ports.vault, random: ports.random)
                let sealer = Sealer(stream: .telemetry, ring: ring, cipher: ports.cipher)
                _ = try await ring.current()
                let ids = (0..<groups).map { _ in (0..<group).map { _ in EntryID(random: ports.random) } }
                let stopwatch = Paired.Stopwatch()
                for ids in ids {
                    _ = try await sealer.append(to: ports.journal, durability: .processDeath) { key in
                        try ids.map { id in
                            Draft(
                                id: id,
                                stream: .telemetry,
                                recordedAt: event.event.timestamp,
                                keyID: key.id,
                                sealed: try sealer.seal(event.json, id: id, with: key)
                            )
                        }
                    }
                }
                _ = try await ports.journal.value(named: "nothing")
                return stopwatch.cost(of: groups * group)
            },
            costOfBaseline: {
                let store = try PlainStore(bench)
                let stopwatch = Paired.Stopwatch()
                for _ in 0..<groups { try store.insert(group, length: event.json.count) }
                return stopwatch.cost(of: groups * group)
            }
        )
        return Comparison(name, result, .cpu, against: "bare C insert of the plain rows", budget: .atMost(2.2))
    }

    /// The whole way, with making and encoding the events, and waiting for the writer.
    private static func logging(_ name: String, _ bench: Bench) async throws -> Comparison {
        let world = try await TelemetryWorld(bench)
        let telemetry = try await world.open()
        let length = try world.encodedEvent().json.count
        let store = try PlainStore(bench)
        let result = try await Paired(turns: bench.turns(300), operations: group).measure(
            subject: { try await telemetry.store($0) },
            baseline: { try store.insert($0, length: length) }
        )
        await telemetry.close()
        return Comparison(name, result, against: "bare C insert of the plain rows", budget: nil)
    }

    private static func grouping(_ name: String, _ bench: Bench) async throws -> Comparison {
        var world = try await TelemetryWorld(bench)
        world.policy.durability = .powerLoss
        let telemetry = try await world.open()
        let result = try await Paired(turns: bench.turns(40), operations: group).measure(
            subject: { count in
                for _ in 0..<count { try await telemetry.record("screen.view", TelemetryWorld.payload()) }
            },
            baseline: { try await telemetry.store($0) }
        )
        await telemetry.close()
        return Comparison(name, result, against: "100 a transaction", budget: .atLeast(20))
    }

    private static func filling(_ name: String, _ bench: Bench) async throws -> Comparison {
        try await comparing(name, bench, leaving: 4 << 20, budget: .atMost(1.2))
    }

    private static func dropping(_ name: String, _ bench: Bench) async throws -> Comparison {
        try await comparing(name, bench, leaving: 0, budget: .atMost(2))
    }

    /// Inserts into a queue that has only so many bytes left, and into one that was empty at first.
    private static func comparing(
        _ name: String,
        _ bench: Bench,
        leaving room: Int64,
        budget: Comparison.Budget
    ) async throws -> Comparison {
        let (empty, full) = (try await TelemetryWorld(bench), try await TelemetryWorld(bench))
        let (first, second) = (try await empty.open(), try await full.open())
        let limit = full.policy.retention.maxQueuedBytes ?? 0
        while try await full.ports.journal.statistics(.telemetry).liveBytes < limit - room - 100_000 {
            try await second.store(200)
        }
        if room == 0 { try await second.store(1000) }
        let result = try await Paired(turns: bench.turns(100), operations: group).measure(
            subject: { try await second.store($0) },
            baseline: { try await first.store($0) }
        )
        let lost = try await full.ports.journal.statistics(.telemetry).losses
        guard lost.isEmpty == (room > 0) else { throw MeasurementFailure("the queue is not as full as it should be") }
        await first.close()
        await second.close()
        return Comparison(name, result, against: "the same, queue empty", budget: budget)
    }
}

/// The baseline's table of plain rows.
private final class PlainStore {
    private let store: OpaquePointer

    init(_ bench: Bench) throws {
        guard let store = baseline_store_open(try bench.folder("bare") + "/bare.sqlite", 0) else {
            throw MeasurementFailure("no store")
        }
        self.store = store
    }

    func insert(_ count: Int, length: Int) throws {
        try check(baseline_store_insert(store, 1, Int32(count), length, 0))
    }

    deinit { baseline_store_close(store) }
}
