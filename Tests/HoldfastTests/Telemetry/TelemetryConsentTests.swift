import Holdfast
import HoldfastInMemory
import XCTest

final class TelemetryConsentTests: XCTestCase {
    private var pending: TelemetryPolicy {
        var policy = TelemetryBench.plain
        policy.initialConsent = .pending
        return policy
    }

    func testUntilTheUserIsAskedEventsAreKeptAndNotSent() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open(pending)
        try await telemetry.record(1...3)
        let asked = await telemetry.flush()
        XCTAssertEqual(asked.status.why, .consentPending)
        XCTAssertEqual(bench.collector.batches.count, 0)
        try await telemetry.setConsent(.granted)
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1, 2, 3])
    }

    func testWhatTheUserSaidIsRemembered() async throws {
        let bench = TelemetryBench()
        try await bench.open(pending).setConsent(.granted)
        let status = await (try bench.open(pending)).status()
        XCTAssertEqual(status.consent, .granted)
        try await bench.open().setConsent(.denied)
        let telemetry = try await bench.open()
        XCTAssertEqual(telemetry.log("t"), .refused(TelemetryError(.consentDenied)))
    }

    func testANoErasesEverythingAndRefusesWhatComes() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open(pending)
        try await telemetry.record(1...3)
        try await telemetry.setConsent(.denied)
        XCTAssertEqual(telemetry.log("t"), .refused(TelemetryError(.consentDenied)))
        let denied = await telemetry.flush()
        XCTAssertEqual(denied.status.queued, 0)
        XCTAssertEqual(denied.status.consent, .denied)
        XCTAssertEqual(denied.status.lost, [.consent: 4])
        let names = try await bench.vault.names()
        XCTAssertFalse(names.contains { $0.hasPrefix("telemetry.key") })
        try await telemetry.setConsent(.granted)
        try await telemetry.record([4])
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [4])
    }

    func testANoThatWasCutOffIsFinishedByTheNextProcess() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        try await bench.open().record(1...3)
        // As a process leaves it that dies before it begins to erase.
        try await bench.journal.setValue(Array("denied".utf8), named: "telemetry.consent")
        let telemetry = try await bench.open()
        let report = await telemetry.flush()
        XCTAssertEqual(report.status.queued, 0)
        XCTAssertEqual(report.status.lost, [.consent: 3])
        let names = try await bench.vault.names()
        XCTAssertFalse(names.contains { $0.hasPrefix("telemetry.key") })
    }

    func testTheLastWordIsKeptHoweverLateTheOneBeforeIsStored() async throws {
        let bench = TelemetryBench()
        let journal = LateJournal(bench.journal)
        let telemetry = try await bench.open(journal: journal)
        await journal.hold(.setValue)
        async let yes: Void = telemetry.setConsent(.granted)
        await journal.held()
        async let no: Void = telemetry.setConsent(.denied)
        // As far as it comes while the other is under way.
        for _ in 0..<500 { await Task.yield() }
        await journal.release()
        _ = try await (yes, no)
        XCTAssertEqual(telemetry.log("t"), .refused(TelemetryError(.consentDenied)))
        let status = await (try bench.open()).status()
        XCTAssertEqual(status.consent, .denied)
    }
}
