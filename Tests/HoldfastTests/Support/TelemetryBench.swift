import HoldfastDomain
import HoldfastInMemory
import XCTest

@testable import Holdfast

/// Telemetry's world in memory, with every switch in reach; `open` again is a restart.
final class TelemetryBench: Sendable {
    let clock = ManualClock()
    let journal = InMemoryQueueStore()
    let vault = InMemoryKeyVault()
    let cipher: any PayloadCipher
    let collector: Collector
    let tokens = ScriptedTokenProvider("one", fresh: ["two"])
    let network = SwitchableConnectivity()
    let power = SwitchablePower()
    let diagnostics = CollectingDiagnostics()
    let sleeper: ManualSleeper
    private let seeds = Locked(UInt64(0))

    init(
        cipher: any PayloadCipher = ToyCipher(),
        answer: @escaping @Sendable (Int, Collector.Batch) -> Collector.Answer = { _, _ in .status(200) }
    ) {
        self.cipher = cipher
        collector = Collector(answer: answer)
        sleeper = ManualSleeper(clock)
    }

    /// A policy under which `log` stores at once and the ledger is told to nobody.
    static var plain: TelemetryPolicy {
        var policy = TelemetryPolicy()
        policy.commitInterval = .zero
        policy.reportsLosses = false
        return policy
    }

    func open(
        _ policy: TelemetryPolicy = TelemetryBench.plain,
        journal other: (any Journal)? = nil,
        token: (any AccessTokenProvider)? = nil,
        transport: (any Transport)? = nil
    ) async throws -> Telemetry {
        let seed = seeds.withLock { seed -> UInt64 in
            seed += 1
            return seed
        }
        return try await Telemetry(
            endpoint: "https://collector.example/v1/telemetry/batch",
            token: token ?? tokens,
            policy: policy,
            ports: .inMemory(
                journal: other ?? journal,
                vault: vault,
                clock: clock,
                cipher: cipher,
                random: SeededRandom(seed: seed),
                transport: transport ?? collector,
                connectivity: network,
                power: power,
                diagnostics: diagnostics
            ),
            sleeper: sleeper
        )
    }

    /// Moves the clock on once the driver sleeps until the end of this interval.
    func passTime(_ interval: Interval) async {
        await sleeper.sleeper(due: clock.now().uptime + interval)
        sleeper.advance(by: interval)
    }

    var losses: [LossReason: Int] {
        get async throws { try await journal.statistics(.telemetry).losses }
    }
}

extension Telemetry {
    /// The first status from now on for which `isRight` holds.
    func status(where isRight: (TelemetryStatus) -> Bool) async -> TelemetryStatus? {
        for await status in statusUpdates where isRight(status) { return status }
        return nil
    }

    /// Records events numbered so, each durable before the next.
    func record(_ numbers: some Sequence<Int64>) async throws {
        for number in numbers { try await record("t", ["n": .integer(number)]) }
    }
}

/// Counts, from any thread, and lets who never goes on wait until the end of the test.
final class Counter: Sendable {
    private let count = Locked(0)
    private let kept = Locked<[CheckedContinuation<Void, Never>]>([])

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    func keep(_ continuation: CheckedContinuation<Void, Never>) { kept.withLock { $0.append(continuation) } }

    deinit { for continuation in kept.withLock({ $0 }) { continuation.resume() } }
}
