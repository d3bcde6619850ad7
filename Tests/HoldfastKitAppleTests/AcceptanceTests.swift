import AppleDevice
@_spi(StandIn) import AppleFoundation
@_spi(StandIn) import BackgroundTasks
import CollectorClient
import Foundation
import HoldfastDomain
import HoldfastInMemory
import HoldfastKit
@_spi(StandIn) import Network
import Patience
@_spi(StandIn) import UIKit
import XCTest

/// What the telemetry SDK was asked to do, each a test, on the ports that a device gets.
@MainActor
final class AcceptanceTests: XCTestCase {
    private var phone = Phone()

    override func setUp() async throws { phone = Phone() }

    override func tearDown() async throws { await phone.putAway() }

    /// Airplane mode on: events queue and survive a restart. Off: all are delivered, long before 15 minutes are over.
    /// (That 15 minutes are enough with a server that fails as well is shown in simulated time, by `AirplaneModeTests` on
    /// the whole path, and by `FifteenMinutePromiseTests` for ten thousand courses of events.)
    func testAirplaneModeQueuesSurvivesARestartAndDelivers() async throws {
        // In airplane mode it cannot be reached: an app tries, if it is faster than the system is to tell of the network.
        let collector = try Collector(
            script: """
                {"rules": [{"when": {"contains": "offline after the restart"}}], "steps": [{"drop": "before", "times": 99}]}
                """
        )
        var app = phone.app(sendingTo: collector)
        StandInNetwork.current.send(NWPath(.unsatisfied))
        phone.launch(app)
        for index in 0..<300 { app.log("offline", ["n": .integer(Int64(index))]) }
        try await app.opened()?.persist()
        var status = await app.opened()?.status()
        XCTAssertEqual(status?.queued, 300)
        await phone.kill(&app)

        app = phone.app(sendingTo: collector)
        phone.launch(app)
        app.log("offline after the restart", ["n": 300])
        try await app.opened()?.persist()
        status = await app.opened()?.status()
        XCTAssertEqual(status?.queued, 301)
        XCTAssertEqual(try collector.accepted().count, 0)
        StandInNetwork.current.send(NWPath(.satisfied))
        let events = try await collector.events(301)
        XCTAssertEqual(events.map(\.number), Array(0...300))
        XCTAssertEqual(Set(events.map(\.id)).count, 301)
    }

    /// The queue is limited to 20 MB; the oldest are dropped and counted; nothing crashes or hangs.
    func testTheQueueIsLimitedTo20MBAndDropsTheOldest() async throws {
        let collector = try Collector()
        let app = phone.app(sendingTo: collector)
        StandInNetwork.current.send(NWPath(.unsatisfied))
        phone.launch(app)
        let telemetry = try await unwrap(app)
        let large = JSONValue.string(String(repeating: "x", count: 200_000))
        for index in 0..<120 { try await telemetry.record("large", ["n": .integer(Int64(index)), "x": large]) }
        var status = await telemetry.status()
        let patience = Patience("what is too much is dropped")
        while status.liveBytes > 20 << 20 {
            try await patience.yield()
            status = await telemetry.status()
        }
        XCTAssertGreaterThan(status.liveBytes, 19 << 20)
        XCTAssertLessThan(status.diskBytes, 40 << 20)
        let dropped = try XCTUnwrap(status.lost[.overflow])
        XCTAssertEqual(dropped + status.queued, 120)
        StandInNetwork.current.send(NWPath(.satisfied))
        let events = try await collector.events(status.queued)
        XCTAssertEqual(events.filter { $0.type == "large" }.map(\.number), Array(dropped..<120))
    }

    /// A payload is not readable in the files of the app's container, nor in the log.
    func testNothingIsReadableOnDisk() async throws {
        let collector = try Collector()
        let diagnostics = CollectingDiagnostics()
        let app = phone.app(sendingTo: collector, diagnostics: diagnostics)
        StandInNetwork.current.send(NWPath(.unsatisfied))
        phone.launch(app)
        let telemetry = try await unwrap(app)
        for _ in 0..<50 { try await telemetry.record("secret-type", ["secret-name": "secret-value"]) }
        let files = try FileManager.default.contentsOfDirectory(at: phone.folder, includingPropertiesForKeys: nil)
        XCTAssertGreaterThanOrEqual(files.count, 2, "the journal and its write-ahead log")
        for file in files {
            let bytes = try Data(contentsOf: file)
            for secret in ["secret", telemetry.sessionID, "events"] {
                XCTAssertNil(bytes.range(of: Data(secret.utf8)), "\(file.lastPathComponent) holds \(secret)")
            }
        }
        XCTAssertFalse("\(diagnostics.events)".contains("secret"))
    }

    /// 429 and 5xx are retried, other 4xx are not.
    func testWhatIsRetriedAndWhatIsNot() async throws {
        let collector = try Collector(
            script: #"[{"status":429,"retryAfter":"0"},{"status":503},{"status":500},{"status":404},{"status":422}]"#
        )
        let app = phone.app(sendingTo: collector)
        phone.launch(app)
        let telemetry = try await unwrap(app)
        try await telemetry.record("set aside by 404", ["n": 1])
        for _ in 0..<6 where try collector.requests().count < 4 { await telemetry.flush() }
        try await telemetry.record("set aside by 422", ["n": 2])
        await telemetry.flush()
        try await telemetry.record("taken", ["n": 3])
        await telemetry.flush()
        let events = try await collector.events(1)
        XCTAssertEqual(events.filter { $0.type == "taken" }.count, 1)
        XCTAssertEqual(events.filter { $0.type.hasPrefix("set aside") }.count, 0)
        let requests = try collector.requests()
        let statuses = requests.compactMap { $0["status"] as? Int }
        XCTAssertEqual(statuses.prefix(5), [429, 503, 500, 404, 422])
        let first = requests.prefix(4).map { ($0["ids"] as? [String])?.first }
        XCTAssertEqual(Set(first).count, 1, "the same event each time, under the same id")
        let status = await telemetry.status()
        XCTAssertEqual(status.deadLettered, 2)
        XCTAssertEqual(status.lost[.rejected], 2)
    }

    /// Low Power Mode holds background work back, and a flush by hand does not ask.
    func testLowPowerModeIsRespected() async throws {
        let collector = try Collector()
        let app = phone.app(sendingTo: collector)
        StandInPower.current.isLowPower = true
        phone.launch(app)
        let telemetry = try await unwrap(app)
        try await telemetry.record("waits", ["n": 0])
        let report = await telemetry.background(until: Date().addingTimeInterval(5))
        XCTAssertEqual(report.delivery.delivered, 0)
        XCTAssertEqual(report.status.why, .lowPower)
        await telemetry.flush()
        _ = try await collector.events(1)
    }

    private func unwrap(_ app: AppTelemetry) async throws -> Telemetry {
        let telemetry = await app.opened()
        return try XCTUnwrap(telemetry)
    }
}
