import HoldfastKit
import XCTest

/// `gate sync` against a server that fails: everything arrives, is settled once, and nothing blocks the rest.
final class SyncCommandTests: XCTestCase {
    private func sync(_ gate: Gate, to url: String, _ more: String...) throws -> Outcome {
        try Holdfast.run(
            ["gate", "sync", "--data", gate.data, "--to", url, "--json"] + more,
            input: Data(),
            in: gate.folder
        )
    }

    /// A gate with so many accepted tickets in its queue, scanned now: what is older than its retention goes once it
    /// has been handed over.
    private func gate(queueing count: Int) throws -> Gate {
        let gate = try Gate(for: self)
        let tickets = try (1...count).map { number in
            try gate.sign(gate.claims("T-\(number)", from: "2026-01-01T00:00:00Z", to: "2096-01-01T00:00:00Z"))
        }
        let outcome = try gate.scan(tickets, at: nil)
        XCTAssertEqual(outcome.lines.count, count, outcome.errors)
        return gate
    }

    func testHandsOverOnceAndKeepsTheRecords() throws {
        let gate = try gate(queueing: 250)
        let collector = try Collector(in: gate.folder, for: self)
        XCTAssertEqual(try gate.status()["clock"], "unanchored")
        let outcome = try sync(gate, to: collector.recordsURL)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try outcome.objects().first?.number("delivered"), 250)
        XCTAssertEqual(try gate.status()["clock"], "anchored", "by the server's time")
        let records = try gate.export()
        XCTAssertTrue(try collector.acceptedIDs() == records.compactMap { $0["scanId"] }, "all of them, oldest first")
        XCTAssertEqual(records.filter { $0["state"] == "delivered" }.count, 250)
        XCTAssertEqual(try sync(gate, to: collector.recordsURL).status, 0)
        XCTAssertEqual(try collector.requests().count, 3, "batches of 100, and no request for nothing")
        XCTAssertEqual(try collector.violations(), [])
    }

    func testComesThroughEveryFailure() throws {
        let gate = try gate(queueing: 120)
        let script = """
            [{"status":500},{"status":502},{"status":503,"retryAfter":"0"},{"status":429,"retryAfter":"1"},
             {"status":503,"retryAfter":"nonsense"},{"drop":"before"},{"drop":"after"},{"delay":300},
             {"nonsense":"html"},{"nonsense":"truncated"},{"nonsense":"not-http"},{"status":401},{"status":403},
             {"status":404},{"redirect":"http://127.0.0.1:1/"},{"outcomes":{"*":"duplicate"}}]
            """
        let collector = try Collector(script: script, in: gate.folder, for: self)
        var outcome = try sync(gate, to: collector.recordsURL)
        for _ in 0..<40 where outcome.status != 0 {
            let report = try XCTUnwrap(try outcome.objects().first)
            if report["why"] == "server_wait" { usleep(UInt32(report.number("waitMs") ?? 0) * 1000 + 1000) }
            outcome = try sync(gate, to: collector.recordsURL)
        }
        XCTAssertEqual(outcome.status, 0, outcome.output)
        let records = try gate.export()
        XCTAssertEqual(records.filter { $0["state"] == "delivered" }.count, 120)
        XCTAssertTrue(try Set(collector.acceptedIDs()) == Set(records.compactMap { $0["scanId"] }))
        XCTAssertEqual(try collector.violations(), [])
        XCTAssertEqual(Set(try collector.requests().compactMap { $0.number("inFlight") }), [1])
    }

    func testSetsARefusedRecordAsideAndGoesOn() throws {
        let gate = try gate(queueing: 20)
        let refused = try XCTUnwrap(try gate.export()[4]["scanId"])
        let script = """
            {"rules":[{"when":{"contains":"\(refused)"},
                       "outcomes":{"\(refused)":{"outcome":"rejected","reason":"was cancelled"}}}]}
            """
        let collector = try Collector(script: script, in: gate.folder, for: self)
        let outcome = try sync(gate, to: collector.recordsURL)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let report = try XCTUnwrap(try outcome.objects().first)
        XCTAssertEqual(report.number("delivered"), 19)
        XCTAssertEqual(report.number("rejected"), 1)
        let record = try XCTUnwrap(try gate.export().first { $0["scanId"] == refused })
        XCTAssertEqual(record["state"], "rejected")
        XCTAssertEqual(record["stateReason"], "was cancelled")
        XCTAssertEqual(record["decision"], "accepted", "the gate's own verdict does not change")
        XCTAssertFalse(try collector.acceptedIDs().contains(refused))
    }

    func testFindsTheRecordThatTheServerRefusesABatchFor() throws {
        let gate = try gate(queueing: 60)
        let refused = try XCTUnwrap(try gate.export()[33]["scanId"])
        let script = "{\"rules\":[{\"when\":{\"contains\":\"\(refused)\"},\"status\":400}]}"
        let collector = try Collector(script: script, in: gate.folder, for: self)
        let outcome = try sync(gate, to: collector.recordsURL)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try collector.acceptedIDs().count, 59)
        XCTAssertEqual(try gate.export().filter { $0["state"] != "delivered" }.map { $0["scanId"] }, [refused])
    }

    func testKeepsTheServersWaitAlsoAfterARestart() throws {
        let gate = try gate(queueing: 5)
        let collector = try Collector(script: "[{\"status\":429,\"retryAfter\":\"600\"}]", in: gate.folder, for: self)
        for _ in 0..<3 {
            let outcome = try sync(gate, to: collector.recordsURL)
            XCTAssertEqual(outcome.status, 1)
            let report = try XCTUnwrap(try outcome.objects().first)
            XCTAssertEqual(report["why"], "server_wait")
            XCTAssertGreaterThan(report.number("waitMs") ?? 0, 50_000)
        }
        XCTAssertEqual(try collector.requests().count, 1)
        let status = try Holdfast.run("gate", "status", "--data", gate.data, in: gate.folder)
        XCTAssertTrue(status.output.contains("the server ordered a wait"), status.output)
    }

    func testSendsTheTokenAndHoldsUntilThereIsAGoodOne() throws {
        let gate = try gate(queueing: 5)
        let collector = try Collector(token: "good-1", in: gate.folder, for: self)
        let file = try gate.folder.file("token", "old-1\n")
        let held = try sync(gate, to: collector.recordsURL, "--token-file", file)
        XCTAssertEqual(held.status, 1)
        XCTAssertEqual(try held.objects().first?["why"], "unauthorised")
        XCTAssertFalse((held.output + held.errors).contains("old-1"))
        _ = try gate.folder.file("token", "good-1\n")
        XCTAssertEqual(try sync(gate, to: collector.recordsURL, "--token-file", file).status, 0)
        XCTAssertEqual(try collector.acceptedIDs().count, 5)
        let missing = try self.gate(queueing: 1)
        let outcome = try sync(missing, to: collector.recordsURL, "--token-file", missing.folder.path("none"))
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(try outcome.objects().first?["why"], "token_unavailable")
    }

    func testFollowsNoRedirectWithAToken() throws {
        let gate = try gate(queueing: 1)
        let other = try Collector(in: gate.folder, for: self)
        let script = "[{\"redirect\":\"\(other.recordsURL)\",\"times\":9}]"
        let collector = try Collector(script: script, in: gate.folder, for: self)
        let outcome = try sync(
            gate,
            to: collector.recordsURL,
            "--token-file",
            try gate.folder.file("token", "secret\n")
        )
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(try outcome.objects().first?["why"], "redirected")
        XCTAssertEqual(try other.requests().count, 0)
    }

    func testSendsAgainWhatWasUnderWayWhenItWasKilled() throws {
        let gate = try gate(queueing: 30)
        let collector = try Collector(
            script: "[{\"drop\":\"after\",\"delay\":0,\"effect\":true},{\"hang\":3600}]",
            in: gate.folder,
            for: self
        )
        XCTAssertEqual(try sync(gate, to: collector.recordsURL).status, 1)
        let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
        let program = try Holdfast.start(words, in: gate.folder)
        try collector.waitForRequests(2)
        program.send(SIGKILL)
        program.wait()
        XCTAssertEqual(try gate.export().filter { $0["state"] == "queued" }.count, 30)
        XCTAssertEqual(try sync(gate, to: collector.recordsURL).status, 0, "the lease of a dead process has ended")
        XCTAssertEqual(try gate.export().filter { $0["state"] == "delivered" }.count, 30)
        XCTAssertEqual(try collector.acceptedIDs().count, 30)
    }

    func testSendsNothingTwiceWhenTwoDoItAtOnce() throws {
        let gate = try gate(queueing: 150)
        let collector = try Collector(script: "[{\"delay\":400,\"times\":9}]", in: gate.folder, for: self)
        let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL, "--json"]
        let programs = try (0..<2).map { _ in try Holdfast.start(words, in: gate.folder) }
        for program in programs where program.wait() != 0 {
            let report = try Row(XCTUnwrap(program.lines.first))
            XCTAssertEqual(report["why"], "leased_elsewhere", "whoever comes second says so")
            XCTAssertTrue(program.errors.hasPrefix("holdfast: another process is sending; try again in "))
        }
        _ = try sync(gate, to: collector.recordsURL)
        XCTAssertEqual(try collector.acceptedIDs().count, 150)
        XCTAssertEqual(try collector.requests().flatMap { $0.strings("ids") ?? [] }.count, 150)
    }

    func testSaysThatTheServerCannotBeReached() throws {
        let gate = try gate(queueing: 1)
        let outcome = try sync(gate, to: "http://127.0.0.1:1/records")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(try outcome.objects().first?.number("queued"), 1)
        for url in ["", "ftp://host/", "file:///etc/passwd", "nonsense"] {
            XCTAssertEqual(try sync(gate, to: url).status, 2, url)
        }
    }
}
