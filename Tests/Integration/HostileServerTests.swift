import HoldfastInMemory
import HoldfastKit
import XCTest

/// Servers that say nonsense, say it late, or are not the server at all.
final class HostileServerTests: XCTestCase {
    func testASignInPageSwallowsNoEventHoweverOftenItAnswers() async throws {
        let folder = try Folder(for: self)
        let script = #"{"rules":[{"when":{"path":"/batch"},"times":20,"nonsense":"html"}]}"#
        let collector = try Collector(script: script, in: folder, for: self)
        let telemetry = try await Host(data: folder.path("data")).open(to: collector.eventsURL)
        var ids: [String] = []
        for attempt in 1...20 {
            ids.append(try await telemetry.record("t").description)
            let report = await telemetry.flush()
            XCTAssertEqual(report.status.queued, attempt)
            XCTAssertEqual(report.status.why, .backoff)
        }
        XCTAssertEqual(try collector.acceptedIDs(), [])
        let report = await telemetry.flush()
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(report.status.lost, [:])
        XCTAssertEqual(try collector.acceptedIDs(), ids)
        await telemetry.close()
    }

    func testNonsenseInPlaceOfAWaitIsTheOrdinaryBackOff() async throws {
        let folder = try Folder(for: self)
        let headers = [
            #""retryAfter":"inf""#, #""retryAfter":"-5""#, #""retryAfter":"""#, #""retryAfter":"soon""#,
            #""retryAfter":"60","headers":{"retry-after":"90"}"#,  // two that disagree
        ]
        let script = "[\(headers.map { #"{"status":503,\#($0)}"# }.joined(separator: ","))]"
        let collector = try Collector(script: script, in: folder, for: self)
        let telemetry = try await Host(data: folder.path("data")).open(to: collector.eventsURL)
        let id = try await telemetry.record("t")
        for header in headers {
            let report = await telemetry.flush()
            XCTAssertEqual(report.status.why, .backoff, header)
        }
        await telemetry.flush()
        XCTAssertEqual(try collector.acceptedIDs(), [id.description])
        await telemetry.close()
    }

    func testAWaitIsAtMostADayAndKeptByTheNextProcess() throws {
        let waits = [
            #""retryAfter":"Fri, 31 Dec 9999 23:59:59 GMT""#, #""retryAfter":"99999999999999999999999""#,
            #""retryAfter":"86400","headers":{"retry-after":"86400"}"#,  // two that agree
        ]
        for wait in waits {
            let teller = try Teller(for: self)
            let collector = try Collector(script: #"[{"status":429,\#(wait)}]"#, in: teller.folder, for: self)
            for _ in 0..<2 {
                _ = try teller.log(teller.lines(1...2))
                let report = try XCTUnwrap(try teller.deliver(to: collector).objects().first)
                XCTAssertEqual(report["why"], "server_wait", wait)
                let next = try XCTUnwrap(report["nextAttempt"].flatMap { Timestamp(rfc3339: $0) })
                let left = next - PlatformClock().now().wall
                XCTAssertLessThanOrEqual(left, .hours(24), wait)
                XCTAssertGreaterThan(left, .hours(23), wait)
            }
            XCTAssertEqual(try collector.requests().count, 1, wait)
        }
    }

    func testAnAnswerAfterTheClientGaveUpMeansTheSameIdsAgainAndFreesTheSlot() async throws {
        let folder = try Folder(for: self)
        let collector = try Collector(script: #"[{"delay":1500},{"drip":300}]"#, in: folder, for: self)
        var host = try await Host(data: folder.path("data"))
        host.policy.requestTimeout = .milliseconds(500)
        let telemetry = try await host.open(to: collector.eventsURL)
        let ids = [try await telemetry.record("t").description, try await telemetry.record("t").description]
        for _ in 0..<2 {
            let report = await telemetry.flush()
            XCTAssertEqual(report.status.why, .backoff)
            XCTAssertEqual(report.status.queued, 2)
        }
        // On a machine that is busy an honest answer may be too late as well.
        var report = await telemetry.flush()
        for _ in 0..<100 where !report.isComplete { report = await telemetry.flush() }
        XCTAssertTrue(report.isComplete)
        await telemetry.close()
        XCTAssertEqual(Set(try collector.acceptedIDs()), Set(ids))
        XCTAssertEqual(try collector.acceptedIDs().count, 2)
    }
}
