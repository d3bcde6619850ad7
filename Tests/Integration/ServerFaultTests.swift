import HoldfastKit
import XCTest

/// A server that answers 500 whenever a certain record or event is in a batch.
final class ServerFaultTests: XCTestCase {
    private func failing(at id: String, times: String = "") -> String {
        "{\"rules\":[{\"when\":{\"contains\":\"\(id)\"},\"status\":500\(times)}]}"
    }

    /// Each call of the command makes one attempt that fails, so they find the record only together.
    func testOneRecordKeepsNoOtherInTheGate() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...250).map { number in
            try gate.sign(gate.claims("T-\(number)", from: "2026-01-01T00:00:00Z", to: "2096-01-01T00:00:00Z"))
        }
        XCTAssertEqual(try gate.scan(tickets, at: nil).lines.count, 250)
        let ids = try gate.export().compactMap { $0["scanId"] }
        let collector = try Collector(script: failing(at: ids[41]), in: gate.folder, for: self)
        var calls = 0
        while try collector.acceptedIDs().count < 249, calls < 30 {
            calls += 1
            let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
            let outcome = try Holdfast.run(words, input: Data(), in: gate.folder)
            XCTAssertEqual(outcome.status, 1)
        }
        XCTAssertEqual(Set(try collector.acceptedIDs()), Set(ids).subtracting([ids[41]]))
        let left = try gate.export().filter { $0["state"] != "delivered" }
        XCTAssertEqual(left.map { $0["scanId"] }, [ids[41]])
        XCTAssertEqual(left.map { $0["state"] }, ["queued"])
        XCTAssertEqual(try collector.violations(), [])
    }

    func testOneEventGoesLastAndArrivesOnceTheServerIsMended() async throws {
        let folder = try Folder(for: self)
        let collector = try Collector(script: failing(at: "poison", times: ",\"times\":30"), in: folder, for: self)
        var host = try await Host(data: folder.path("data"))
        host.policy.retry = RetryPolicy(base: .milliseconds(5), cap: .milliseconds(50))
        let telemetry = try await host.open(to: collector.eventsURL)
        var ids: [String] = []
        for number in 0..<250 { ids.append(try await telemetry.record(number == 7 ? "poison" : "t").description) }
        var report = await telemetry.flush()
        for _ in 0..<500 where !report.isComplete { report = await telemetry.flush() }
        await telemetry.close()
        XCTAssertEqual(try collector.acceptedIDs(), ids.filter { $0 != ids[7] } + [ids[7]])
        XCTAssertEqual(try collector.requests().filter { $0.number("status") == 500 }.count, 30)
        XCTAssertEqual(report.status.lost, [:])
        XCTAssertEqual(try collector.violations(), [])
    }
}
