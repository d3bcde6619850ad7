import Foundation
import Holdfast
import HoldfastInMemory
import XCTest

final class TelemetryConcurrencyTests: XCTestCase {
    private let threads = 8
    private let perThread = 3000

    /// Eight threads log while batches are cut and sent to a server that fails, loses answers and orders waits.
    func testEveryAcceptedEventArrivesOnceAndInItsThreadsOrder() async throws {
        let bench = TelemetryBench(cipher: NoCipher()) { number, _ in
            switch number % 11 {
            case 3: return .status(503)
            case 5: return .lostAfterwards(.connectionFailed)
            case 8: return .status(429, [HeaderField("Retry-After", "1")])
            case 9: return .lost(.timedOut)
            default: return .status(200)
            }
        }
        let telemetry = try await bench.open()
        let accepted = await logFromThreads(telemetry)
        try await drain(bench, telemetry)

        var seen = Set<String>()
        let events = bench.collector.received.filter { seen.insert($0["id"]?.stringValue ?? "").inserted }
        XCTAssertTrue(bench.collector.batches.allSatisfy { $0.bodyBytes <= 262_144 })
        XCTAssertEqual(bench.collector.mostInFlight, 1)
        for thread in 0..<threads {
            let numbers = events.filter { $0["type"]?.stringValue == "thread.\(thread)" }
                .compactMap { $0["payload"]?["n"]?.integerValue }
            XCTAssertEqual(numbers, accepted[thread], "thread \(thread)")
        }
        let lost = try await bench.losses
        let count = accepted.reduce(0) { $0 + $1.count }
        XCTAssertEqual(count + (lost[.overflow] ?? 0), threads * perThread)
        XCTAssertEqual(events.count, count)
        XCTAssertEqual(lost.keys.filter { $0 != .overflow }, [])
    }

    /// What each thread got accepted, in order.
    private func logFromThreads(_ telemetry: Telemetry) async -> [[Int64]] {
        await withTaskGroup(of: (Int, [Int64]).self) { group in
            for thread in 0..<threads {
                let perThread = perThread
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            var taken: [Int64] = []
                            for number in 0..<Int64(perThread) {
                                guard case .taken = telemetry.log("thread.\(thread)", ["n": .integer(number)]) else {
                                    continue
                                }
                                taken.append(number)
                            }
                            continuation.resume(returning: (thread, taken))
                        }
                    }
                }
            }
            return await group.reduce(into: Array(repeating: [], count: threads)) { $0[$1.0] = $1.1 }
        }
    }

    private func drain(_ bench: TelemetryBench, _ telemetry: Telemetry) async throws {
        for _ in 0..<2000 {
            let report = await telemetry.flush()
            if report.isComplete { return }
            bench.sleeper.advance(by: .seconds(1))
        }
        XCTFail("not drained")
    }
}

/// Costs nothing, so that many events fit into a unit test.
private struct NoCipher: PayloadCipher {
    func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) -> [UInt8] {
        plaintext + [UInt8](repeating: 0, count: 28)
    }

    func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) -> [UInt8] {
        Array(sealed.dropLast(28))
    }
}
