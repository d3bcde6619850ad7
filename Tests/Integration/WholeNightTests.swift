import HoldfastKit
import XCTest

/// A night without a network and its morning: five hundred scans, a kill, a restart, and a server that fails in every
/// way it can be scripted to.
final class WholeNightTests: XCTestCase {
    /// Every fault that the collector plays, one after the other: first those that take nothing, or say so.
    private static let faults = """
        [{"status":500},{"status":502},{"status":503,"retryAfter":"0"},{"status":504},{"status":599},{"status":408},
        {"status":429,"retryAfter":"1"},{"status":429,"retryAfter":"nonsense"},{"status":503,"retryAfter":"-5"},
        {"drop":"before"},{"hang":1},{"nonsense":"html"},{"nonsense":"not-http"},{"status":401},{"status":403},
        {"status":404},{"status":405},{"redirect":"http://127.0.0.1:1/"},{"status":413},
        {"drop":"after"},{"nonsense":"truncated"},{"status":500,"effect":true},
        {"status":503,"effect":true,"headers":{"X-Proxy":"down"}},
        {"delay":200},{"drip":0},{"outcomes":{"*":"duplicate"}},{"outcomes":{"0":"retry","7":"retry"}},
        {"outcomes":{"3":{"outcome":"perhaps"}}},{"status":204},{"token":"T2","status":200}]
        """

    func testFiveHundredScansArriveEachOfThemSettledOnce() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...500).map { number in
            try gate.sign(gate.claims("T-\(number)", from: "2026-01-01T00:00:00Z", to: "2096-01-01T00:00:00Z"))
        }
        let program = try Holdfast.start(gate.scanWords(at: nil), input: nil, in: gate.folder)
        try program.type(tickets.joined(separator: "\n") + "\n")
        try program.waitForLines(500)
        program.send(SIGKILL)
        XCTAssertEqual(program.wait(), -SIGKILL)
        let ids = try gate.export().filter { $0["state"] == "queued" }.compactMap { $0["scanId"] }
        XCTAssertEqual(ids.count, 500)

        // One record is refused by name, one makes a server refuse whatever it is in, one is put off whenever it comes.
        let (refused, poison, late) = (ids[41], ids[142], ids[243])
        let script = """
            {"rules":[
              {"when":{"contains":"\(poison)"},"status":422},
              {"when":{"contains":"\(late)"},"outcomes":{"\(late)":"retry"},"times":3},
              {"when":{"contains":"\(refused)"},"outcomes":{"\(refused)":{"outcome":"rejected","reason":"was cancelled"}}}],
             "steps":\(Self.faults)}
            """
        let collector = try Collector(script: script, token: "T1", in: gate.folder, for: self)
        var good = "T1"
        let token = try gate.folder.file("token", good + "\n")
        let words = [
            "gate", "sync", "--data", gate.data, "--to", collector.recordsURL, "--json", "--token-file", token,
        ]
        var reasons: Set<String> = []
        var status: Int32 = 1
        for _ in 0..<80 where status != 0 {
            let outcome = try Holdfast.run(words, input: Data(), in: gate.folder)
            status = outcome.status
            let report = try XCTUnwrap(try outcome.objects().first, outcome.errors)
            if let why = report["why"] { reasons.insert(why) }
            if report["why"] == "server_wait" { usleep(UInt32(report.number("waitMs") ?? 0) * 1000 + 1000) }
            // What a host does that is told so: it gets itself another one.
            if report["why"] == "unauthorised" {
                good = good == "T1" ? "T2" : "T1"
                _ = try gate.folder.file("token", good + "\n")
            }
        }
        XCTAssertEqual(status, 0, "the queue never became empty")
        XCTAssertTrue(
            reasons.isSuperset(of: ["backoff", "server_wait", "unauthorised", "refused", "redirected", "deferred"]),
            "\(reasons)"
        )

        let records = try gate.export()
        XCTAssertTrue(records.compactMap { $0["scanId"] } == ids, "none is lost")
        let aside = records.filter { $0["state"] == "rejected" }
        XCTAssertEqual(aside.compactMap { $0["scanId"] }, [refused, poison])
        XCTAssertEqual(aside[0]["stateReason"], "was cancelled")
        XCTAssertEqual(records.filter { $0["state"] == "delivered" }.count, 498)
        XCTAssertEqual(Set(records.compactMap { $0["decision"] }), ["accepted"], "what the gate decided stays")
        let arrived = try collector.acceptedIDs()
        XCTAssertTrue(Set(arrived) == Set(ids).subtracting([refused, poison]), "each arrived that may")
        XCTAssertEqual(arrived.count, 498)
        let played = try collector.requests().compactMap { $0.row("step")?.names }.filter { !$0.isEmpty }
        let faults = try XCTUnwrap(JSONValue.parse(Self.faults).arrayValue).count
        XCTAssertEqual(played.filter { !$0.contains("when") }.count, faults, "every fault was played")
        XCTAssertEqual(try collector.violations(), [])
    }
}
