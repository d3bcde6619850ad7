#if os(Linux)
import Foundation
import Holdfast
import HoldfastInMemory
import HoldfastSQLite
import XCTest

/// Networks that go and come back, in simulated time, from `log` to the server.
final class AirplaneModeTests: XCTestCase {
    /// Acceptance: airplane mode on: events queue, and survive a restart. Off: everything is delivered within 15 minutes
    /// of active use, here by a server that is down at first and fails every other request afterwards.
    func testEverythingArrivesWithinFifteenMinutesAfterAirplaneModeAndARestart() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("airplane-\(UUID().uuidString)").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let bench = TelemetryBench { number, _ in
            switch number {
            case 0: return .lost(.offline)
            case 1: return .lostAfterwards(.connectionFailed)
            case 2..<7: return .status(503)
            default: return .status(number % 2 == 0 ? 200 : 500)
            }
        }
        bench.network.set(reachable: false)
        var store = try SQLiteQueueStore(path: path, diagnostics: bench.diagnostics)
        var telemetry = try await bench.open(journal: store)
        for number in 0..<600 as Range<Int64> { telemetry.log("t", ["n": .integer(number)]) }
        await telemetry.close()
        await store.close()

        store = try SQLiteQueueStore(path: path, diagnostics: bench.diagnostics)
        telemetry = try await bench.open(journal: store)
        try await telemetry.record(600..<610)
        let queued = await telemetry.status().queued
        XCTAssertEqual(queued, 610)
        XCTAssertEqual(bench.collector.batches.count, 0)

        bench.network.set(reachable: true)
        let landed = bench.clock.now().uptime
        var used: Int64 = 610
        while Set(bench.collector.numbers).count < 610 {
            let settled = await telemetry.status { !$0.isSending && ($0.queued == 0 || $0.nextAttempt != nil) }
            guard let next = settled?.nextAttempt, next > bench.clock.now().wall else { continue }
            await bench.passTime(next - bench.clock.now().wall)
            try await telemetry.record([used])  // the app is in use
            used += 1
        }
        let took = bench.clock.now().uptime - landed
        XCTAssertLessThanOrEqual(took, .minutes(15))
        XCTAssertGreaterThan(took, .zero, "there were failures to wait for")
        await telemetry.flush()
        await telemetry.flush()
        let ids = bench.collector.received.compactMap { $0["id"]?.stringValue }
        XCTAssertEqual(Set(ids).count, Int(used), "what came twice came under the same id")
        let status = await telemetry.status()
        XCTAssertEqual(status.queued, 0)
        XCTAssertEqual(status.lost, [:])
        await telemetry.close()
        await store.close()
    }

    /// Every return of a network is a reason to try, but not twenty times a second.
    func testANetworkThatFlapsTwentyTimesASecondIsTriedOnceInTwoSeconds() async throws {
        let bench = TelemetryBench { _, _ in .status(503) }
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        try await telemetry.record(1...50)
        for _ in 0..<(20 * 30) {
            bench.network.set(reachable: true)
            _ = await telemetry.status { $0.why != .offline && !$0.isSending }
            bench.network.set(reachable: false)
            _ = await telemetry.status { $0.why == .offline }
            bench.sleeper.advance(by: .milliseconds(50))
        }
        let requests = bench.collector.batches.count
        XCTAssertLessThanOrEqual(requests, 30 / 2 + 1, "in 30 s")
        XCTAssertGreaterThan(requests, 1)
        bench.collector.setAnswer { _, _ in .status(200) }
        bench.sleeper.advance(by: .seconds(2))
        bench.network.set(reachable: true)
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, Array(1...50))
        await telemetry.close()
    }
}
#endif
