import HoldfastInMemory
import HoldfastKit
import XCTest

/// What each answer of a real server, or its absence, makes of two events.
final class AnswersOnTheWireTests: XCTestCase {
    private enum End: Equatable {
        case delivered
        /// They stay, and are delivered by the next flush.
        case kept(DeliveryObstacle)
        /// The same, and the server had taken them before.
        case keptThoughTaken
        case setAside
    }

    private let ends: [(step: String, end: End)] = {
        func statuses(_ statuses: [Int], _ end: End, _ more: String = "") -> [(step: String, end: End)] {
            statuses.map { ("\"status\":\($0)\(more)", end) }
        }
        var ends = statuses([200, 202, 204], .delivered)
        ends += statuses([301, 302, 307], .kept(.redirected), #","redirect":"http://127.0.0.1:1/""#)
        ends += statuses([400, 404, 408, 409, 422, 425], .setAside)
        ends += statuses([401, 403], .kept(.unauthorised))
        ends += statuses([413], .delivered)  // by halves
        ends += statuses([429, 500, 501, 502, 503, 504, 599], .kept(.backoff))
        ends += [
            (#""drop":"before""#, .kept(.backoff)), (#""drop":"after""#, .keptThoughTaken),
            (#""status":500,"effect":true"#, .keptThoughTaken), (#""hang":3"#, .kept(.backoff)),
            (#""nonsense":"truncated""#, .keptThoughTaken), (#""nonsense":"not-http""#, .kept(.backoff)),
            (#""nonsense":"html""#, .kept(.backoff)),
        ]
        return ends
    }()

    func testEachAnswerHasItsEndAndNothingIsLostThatWasNotRefused() async throws {
        let folder = try Folder(for: self)
        let rules = ends.enumerated().map { index, item in
            #"{"when":{"path":"/\#(index)/v1/telemetry/batch"},"times":1,\#(item.step)}"#
        }
        let collector = try Collector(script: #"{"rules":[\#(rules.joined(separator: ","))]}"#, in: folder, for: self)
        for (index, item) in ends.enumerated() {
            let url = "\(collector.base)/\(index)/v1/telemetry/batch"
            let took = try await take(item.end, from: url, in: folder.path("\(index)"), item.step)
            let requests = try collector.requests().filter { $0["path"]?.hasPrefix("/\(index)/") == true }
            let arrived = requests.flatMap { $0.strings("new") ?? [] }
            XCTAssertEqual(arrived, item.end == .setAside ? [] : took, item.step)
            XCTAssertEqual(requests.flatMap { $0.strings("violations") ?? [] }, [], item.step)
        }
    }

    func testWithoutAServerThatCanBeReachedEverythingIsKept() async throws {
        let folder = try Folder(for: self)
        let collector = try Collector(in: folder, for: self)
        let places = [
            "https://127.0.0.1:\(collector.port)/v1/telemetry/batch",  // it speaks no TLS
            "http://\(String(repeating: "n", count: 70)).test/",  // no name is so long
            "http://127.0.0.1:1/",
        ]
        for (index, url) in places.enumerated() {
            var host = try await Host(data: folder.path("\(index)"))
            host.policy.requestTimeout = .seconds(10)
            let telemetry = try await host.open(to: url)
            try await telemetry.record("t")
            let report = await telemetry.flush()
            XCTAssertEqual(report.status.queued, 1, url)
            XCTAssertEqual(report.status.why, .backoff, url)
            XCTAssertEqual(report.status.lost, [:], url)
            await telemetry.close()
        }
    }

    /// The ids of two events that were logged, in order.
    private func take(_ end: End, from url: String, in data: String, _ step: String) async throws -> [String] {
        var host = try await Host(data: data)
        if step.contains("hang") { host.policy.requestTimeout = .milliseconds(500) }
        host.tokens = ScriptedTokenProvider("one")
        let telemetry = try await host.open(to: url)
        let ids = [try await telemetry.record("t").description, try await telemetry.record("t").description]
        let first = await telemetry.flush()
        switch end {
        case .delivered:
            XCTAssertEqual(first.delivery.delivered, 2, step)
            XCTAssertTrue(first.isComplete, step)
        case .setAside:
            XCTAssertEqual(first.status.lost, [.rejected: 2], step)
            XCTAssertTrue(first.isComplete, step)
        case .kept, .keptThoughTaken:
            XCTAssertEqual(first.status.queued, 2, step)
            XCTAssertEqual(first.status.lost, [:], step)
            if case .kept(let why) = end { XCTAssertEqual(first.status.why, why, step) }
            host.tokens.setToken("two")
            var second = await telemetry.flush()
            // Where little time is given, an honest answer may be too late as well.
            for _ in 0..<100 where step.contains("hang") && !second.isComplete { second = await telemetry.flush() }
            XCTAssertEqual(second.delivery.delivered, 2, step)
        }
        await telemetry.close()
        return ids
    }
}
