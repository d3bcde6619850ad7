import HoldfastKit
import XCTest

/// A server that wants single records again later: they hold nobody up, and arrive.
final class DeferredRecordTests: XCTestCase {
    private func sync(_ gate: Gate, to collector: Collector, json: Bool = true) throws -> Outcome {
        let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
        return try Holdfast.run(words + (json ? ["--json"] : []), input: Data(), in: gate.folder)
    }

    private func gate(queueing count: Int) throws -> Gate {
        let gate = try Gate(for: self)
        let tickets = try (1...count).map { number in
            try gate.sign(gate.claims("T-\(number)", from: "2026-01-01T00:00:00Z", to: "2096-01-01T00:00:00Z"))
        }
        XCTAssertEqual(try gate.scan(tickets, at: nil).lines.count, count)
        return gate
    }

    /// A rule that answers "retry" for these records whenever they come, so many times.
    private func deferring(_ ids: [String], times: Int) throws -> String {
        let outcomes = ids.map { "\"\($0)\":{\"outcome\":\"retry\",\"reason\":\"busy\"}" }.joined(separator: ",")
        return "{\"rules\":[{\"when\":{\"contains\":\"\(ids[0])\"},\"outcomes\":{\(outcomes)},\"times\":\(times)}]}"
    }

    func testArriveAtTheNextCallAndHoldNobodyUp() throws {
        let gate = try gate(queueing: 250)
        let ids = try gate.export().compactMap { $0["scanId"] }
        let late = [ids[0], ids[57], ids[99]]
        let collector = try Collector(script: try deferring(late, times: 1), in: gate.folder, for: self)
        let first = try sync(gate, to: collector)
        XCTAssertEqual(first.status, 1)
        let report = try XCTUnwrap(try first.objects().first)
        XCTAssertEqual(report.number("delivered"), 247)
        XCTAssertEqual(report.number("retried"), 3)
        XCTAssertEqual(report["why"], "deferred")
        XCTAssertTrue((1...30_001).contains(report.number("waitMs") ?? 0))
        let sentence = "holdfast: what is left is to be sent again later; try again in "
        XCTAssertTrue(first.errors.hasPrefix(sentence), first.errors)
        XCTAssertEqual(try gate.export().filter { $0["state"] == "queued" }.compactMap { $0["scanId"] }, late)

        let second = try sync(gate, to: collector)
        XCTAssertEqual(second.status, 0, second.errors)
        XCTAssertEqual(try second.objects().first?.number("delivered"), 3, "whoever asks by hand need not wait")
        XCTAssertEqual(Set(try gate.export().compactMap { $0["state"] }), ["delivered"])
        let sent = try collector.requests().compactMap { $0.strings("ids") }
        XCTAssertEqual(sent.map(\.count), [100, 100, 50, 3])
        XCTAssertEqual(sent[3], late)
        XCTAssertEqual(try collector.acceptedIDs().count, 250)
        XCTAssertTrue(Set(try collector.acceptedIDs()) == Set(ids))
    }

    func testAreSentOncePerCallHoweverOftenTheServerPutsThemOff() throws {
        let gate = try gate(queueing: 20)
        let ids = try gate.export().compactMap { $0["scanId"] }
        let collector = try Collector(script: try deferring([ids[3]], times: 4), in: gate.folder, for: self)
        for round in 1...4 {
            XCTAssertEqual(try sync(gate, to: collector).status, 1)
            XCTAssertEqual(try collector.requests().count, round)
        }
        XCTAssertEqual(try sync(gate, to: collector).status, 0)
        let records = try gate.export()
        XCTAssertEqual(records.filter { $0["state"] == "delivered" }.count, 20)
        XCTAssertEqual(try collector.acceptedIDs().filter { $0 == ids[3] }.count, 1)
        XCTAssertEqual(try collector.requests().last?.strings("ids"), [ids[3]])
    }

    func testLetWhatIsScannedMeanwhileGoFirst() throws {
        let gate = try gate(queueing: 3)
        let ids = try gate.export().compactMap { $0["scanId"] }
        let collector = try Collector(script: try deferring([ids[0]], times: 2), in: gate.folder, for: self)
        XCTAssertEqual(try sync(gate, to: collector).status, 1)
        let ticket = try gate.sign(gate.claims("T-9", from: "2026-01-01T00:00:00Z", to: "2096-01-01T00:00:00Z"))
        XCTAssertEqual(try gate.scan([ticket], at: nil).lines.count, 1)
        let outcome = try sync(gate, to: collector)
        XCTAssertEqual(try outcome.objects().first?.number("delivered"), 1, outcome.errors)
        XCTAssertEqual(try gate.export().map { $0["state"] }, ["queued", "delivered", "delivered", "delivered"])
        XCTAssertEqual(try sync(gate, to: collector).status, 0)
    }

    func testStatusSaysUntilWhenTheyWait() throws {
        let gate = try gate(queueing: 2)
        let ids = try gate.export().compactMap { $0["scanId"] }
        let collector = try Collector(script: try deferring([ids[0]], times: 1), in: gate.folder, for: self)
        XCTAssertEqual(try sync(gate, to: collector, json: false).output, "1 handed over; 1 left in the queue\n")
        let row = try gate.status()
        XCTAssertEqual(row["why"], "deferred")
        XCTAssertTrue((1...30_001).contains(row.number("waitMs") ?? 0))
    }
}
