import HoldfastKit
import XCTest

/// `gate sync` killed at any moment, while it sends, settles or trims: nothing is lost, and each record is settled once.
final class KilledSyncTests: XCTestCase {
    private static let rounds = 60

    private struct Round {
        var killed = 0
        var finished = 0
    }

    /// Tickets valid around `year`, three fresh ones for each round.
    private func tickets(_ round: Int, year: Int, _ gate: Gate) throws -> [String] {
        try (1...3).map { number in
            try gate.sign(
                gate.claims("T-\(round)-\(number)", from: "\(year)-01-01T00:00:00Z", to: "\(year + 1)-01-01T00:00:00Z")
            )
        }
    }

    /// Scans in each round, then starts a sync and kills it after a random time, of about as long as one takes that ends
    /// by itself.
    private func kill(
        _ gate: Gate,
        _ collector: Collector,
        scanning texts: (Int) throws -> (lines: [String], at: String?)
    ) throws -> (printed: [String], round: Round) {
        var generator = SystemRandomNumberGenerator()
        var printed: [String] = []
        var round = Round()
        var usual: UInt32 = 60_000
        for number in 1...Self.rounds {
            let (lines, at) = try texts(number)
            let scans = try gate.scan(lines + ["x", lines[0]], at: at)
            XCTAssertEqual(scans.status, 0, scans.errors)
            printed += try scans.objects().compactMap { $0["scanId"] }
            let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
            let program = try Holdfast.start(words, in: gate.folder)
            usleep(UInt32.random(in: 0...usual, using: &generator))
            program.send(SIGKILL)
            if program.wait() == -SIGKILL {
                round.killed += 1
                usual += usual / 8
            } else {
                round.finished += 1
                usual -= usual / 4
            }
        }
        return (printed, round)
    }

    /// Syncs until nothing is left. The killed ones may have left that many faults of the script unplayed.
    private func finish(_ gate: Gate, _ collector: Collector, faults: Int = 0) throws {
        let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
        var outcome = try Holdfast.run(words, input: Data(), in: gate.folder)
        for _ in 0..<faults where outcome.status != 0 {
            outcome = try Holdfast.run(words, input: Data(), in: gate.folder)
        }
        XCTAssertEqual(outcome.status, 0, outcome.errors)
    }

    func testKilledWhileItSendsAndSettles() throws {
        let gate = try Gate(for: self)
        let collector = try Collector(
            script: """
                {"rules":[{"when":{"contains":"T-5-"},"delay":30,"times":5},{"when":{"contains":"T-1"},"delay":10,"times":9}],
                 "steps":[{"drop":"after"},{"delay":20,"times":20},{"status":503},{"drop":"before"},{"delay":5,"times":60}]}
                """,
            in: gate.folder,
            for: self
        )
        let year = 2026
        let (printed, round) = try kill(gate, collector) { (try tickets($0, year: year, gate), nil) }
        XCTAssertGreaterThan(round.killed, 20, "some are to be killed while they work")
        try finish(gate, collector, faults: 3)

        let records = try gate.export()
        XCTAssertTrue(records.compactMap { $0["scanId"] } == printed, "every attempt, in order")
        XCTAssertEqual(records.map { $0.number("sequence") }, Array(1...records.count))
        XCTAssertEqual(Set(records.compactMap { $0["state"] }), ["delivered"])
        let arrived = try collector.acceptedIDs()
        XCTAssertTrue(Set(arrived) == Set(printed), "each arrived")
        XCTAssertEqual(arrived.count, printed.count, "and none is two to a server that knows ids")
        let counts = try gate.status()
        XCTAssertEqual(counts.number("delivered"), printed.count, "each was settled once")
        XCTAssertEqual(counts.number("rejected"), 0)
        let accepted = records.filter { $0["decision"] == "accepted" }.compactMap { $0["ticketId"] }
        XCTAssertEqual(accepted.count, Set(accepted).count)
        XCTAssertEqual(accepted.count, 3 * Self.rounds)
        XCTAssertEqual(try collector.violations(), [])
        XCTAssertEqual(try gate.integrity(), "ok")
    }

    func testKilledWhileItTrims() throws {
        let gate = try Gate(for: self)
        let collector = try Collector(in: gate.folder, for: self)
        // Long past their retention: they go with the sync that delivers them, or the next.
        let (printed, round) = try kill(gate, collector) { number in
            (try tickets(number, year: 2020, gate), "2020-05-01T20:00:00Z")
        }
        XCTAssertGreaterThan(round.killed, 20, "some are to be killed while they work")
        try finish(gate, collector)
        try finish(gate, collector)
        XCTAssertEqual(try gate.export().count, 0, "all of them are past their retention")
        let arrived = try collector.acceptedIDs()
        XCTAssertTrue(Set(arrived) == Set(printed), "nothing was removed before it had arrived")
        let counts = try gate.status()
        XCTAssertEqual(
            ["queued", "delivered", "rejected"].map { counts.number($0) },
            [0, 0, 0],
            "the counts are true"
        )
        XCTAssertEqual(counts.number("lastSequence"), printed.count)
        let next = try gate.answer(try gate.ticket("T-next"))
        XCTAssertEqual(next.number("sequence"), printed.count + 1, "no number is given out twice")
        XCTAssertEqual(try gate.integrity(), "ok")
    }
}
