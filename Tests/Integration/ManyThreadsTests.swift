import Foundation
import HoldfastKit
import XCTest

/// Eight threads that log as fast as they can, while batches are cut and sent to a server that fails.
final class ManyThreadsTests: XCTestCase {
    private static let threads = 8
    private static let eventsPerThread = 25_000

    func testEveryAcceptedEventArrivesOnceAndInItsThreadsOrder() async throws {
        let folder = try Folder(for: self)
        let faults = """
            {"drop":"after"},{},{"status":503},{},{},{"drop":"before"},{},{"status":429,"retryAfter":"0"},{},{},
            {"nonsense":"not-http"},{},{"status":500,"effect":true},{},{"nonsense":"html"},{}
            """
        let script = "[\(Array(repeating: faults, count: 8).joined(separator: ","))]"
        let collector = try Collector(script: script, in: folder, for: self)
        var host = try await Host(data: folder.path("data"))
        host.policy.limits.maxBatchCount = 2000  // so that it is the bytes that cut a batch
        host.policy.schedule.thresholdCount = 1000
        host.policy.schedule.spacing = .zero
        host.policy.retry = RetryPolicy(base: .milliseconds(20), cap: .milliseconds(100))
        // What is in question is delivery: nothing is to be dropped by a limit.
        host.policy.maxBufferedBytes = 256 * 1024 * 1024
        host.policy.retention.maxQueuedBytes = nil
        let telemetry = try await host.open(to: collector.eventsURL)
        let accepted = await logFromThreads(telemetry)
        XCTAssertEqual(accepted.map(\.count), Array(repeating: Self.eventsPerThread, count: Self.threads))
        var report = await telemetry.flush()
        for _ in 0..<1000 where !report.isComplete { report = await telemetry.flush() }
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(report.status.lost, [:])
        await telemetry.close()
        try check(accepted, against: try collector.requests())
    }

    private func check(_ accepted: [[String]], against requests: [Row]) throws {
        var threadOf: [String: Int] = [:]
        for (thread, ids) in accepted.enumerated() { for id in ids { threadOf[id] = thread } }
        var arrived: [[String]] = Array(repeating: [], count: Self.threads)
        for request in requests {
            XCTAssertEqual(request.strings("violations"), [], "form, size, or an id twice")
            XCTAssertLessThanOrEqual(request.number("bytes") ?? .max, 262_144)
            XCTAssertEqual(request.number("inFlight"), 1)
            // What the server had not taken before.
            for id in request.strings("new") ?? [] {
                guard let thread = threadOf[id] else { return XCTFail("an event that was never accepted") }
                arrived[thread].append(id)
            }
        }
        for thread in 0..<Self.threads { XCTAssertTrue(arrived[thread] == accepted[thread], "thread \(thread)") }
        XCTAssertGreaterThan(requests.compactMap { $0.number("bytes") }.max() ?? 0, 261_000, "batches are filled")
        XCTAssertGreaterThan(requests.filter { $0.number("status") != 200 }.count, 20, "faults came in between")
    }

    /// The ids that each thread was given, in order.
    private func logFromThreads(_ telemetry: Telemetry) async -> [[String]] {
        await withTaskGroup(of: (Int, [EntryID]).self) { group in
            for thread in 0..<Self.threads {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread { continuation.resume(returning: (thread, Self.log(telemetry, thread))) }
                    }
                }
            }
            return await group.reduce(into: Array(repeating: [], count: Self.threads)) { result, logged in
                result[logged.0] = logged.1.map(\.description)
            }
        }
    }

    private static func log(_ telemetry: Telemetry, _ thread: Int) -> [EntryID] {
        (0..<eventsPerThread).compactMap { number in
            let outcome = telemetry.log("thread", ["thread": .integer(Int64(thread)), "n": .integer(Int64(number))])
            guard case .taken(let id) = outcome else { return nil }
            return id
        }
    }
}
