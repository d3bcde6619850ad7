import CHoldfastBaseline
import Holdfast

/// What `log` costs whoever calls it.
enum LoggingBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark("log, 99th percentile") { try await logging($0, $1, isStalled: false) },
            Benchmark("log, 99th percentile, disk stalled") { try await logging($0, $1, isStalled: true) },
        ]
    }

    private static func logging(_ name: String, _ bench: Bench, isStalled: Bool) async throws -> Comparison {
        var world = try await TelemetryWorld(bench)
        let journal = StallingJournal(world.ports.journal)
        world.ports.journal = journal
        let telemetry = try await world.open()
        try await telemetry.store(100)
        if isStalled { journal.stall() }
        let payload = TelemetryWorld.payload()
        var percentiles: [Double] = []
        for _ in 0..<bench.turns(50) {
            var times: [Double] = []
            for _ in 0..<5 {
                for _ in 0..<100 {
                    let begin = baseline_now()
                    telemetry.log("screen.view", payload)
                    times.append(Double(baseline_now() - begin))
                }
                // Nobody logs without a pause; this one is long enough for the writer to keep pace.
                try await Task.sleep(nanoseconds: 2_000_000)
            }
            percentiles.append(times.sorted()[times.count * 99 / 100])
        }
        journal.resume()
        await telemetry.close()
        return Comparison(
            name,
            Spread(percentiles),
            of: 20_000,
            against: "20 µs flat",
            unit: .nanoseconds,
            clock: .wall
        )
    }
}
