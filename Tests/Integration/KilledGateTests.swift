import HoldfastInMemory
import HoldfastKit
import XCTest

/// What a gate that is killed at any moment has promised: what it printed is recorded, and no ticket passes twice.
final class KilledGateTests: XCTestCase {
    private func integrity(of database: String, in folder: Folder) throws -> String {
        let check =
            "import sqlite3,sys;print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone())"
        let program = try Program(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", check, database],
            input: Data(),
            in: folder
        )
        XCTAssertEqual(program.wait(), 0, program.errors)
        return program.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func testForgetsNothingThatItSaidWhenKilledTwoHundredTimes() throws {
        let gate = try Gate(for: self)
        let random = SystemRandomNumberGenerator()
        var generator = random
        let tickets = try (1...400).map { try gate.ticket("T-\($0)") }
        var printed: [Row] = []
        var killed = 0
        for _ in 0..<200 {
            let lines = tickets.shuffled(using: &generator).joined(separator: "\n")
            let program = try Holdfast.start(gate.scanWords(), input: lines, in: gate.folder)
            usleep(UInt32.random(in: 0...120_000, using: &generator))
            program.send(SIGKILL)
            if program.wait() == -SIGKILL { killed += 1 }
            printed += try program.lines.map(Row.init)
        }
        XCTAssertGreaterThan(killed, 150, "most of them are to be killed while they work")
        XCTAssertGreaterThan(printed.count, 200, "most of them are to have answered something by then")

        let records = try gate.export()
        let known = Dictionary(uniqueKeysWithValues: records.map { ($0["scanId"] ?? "", $0) })
        for row in printed {
            let record = try XCTUnwrap(known[row["scanId"] ?? ""], "a printed answer is not in the journal")
            XCTAssertEqual(record["decision"], row["decision"])
            XCTAssertEqual(record["ticketId"], row["ticketId"])
            XCTAssertEqual(record.number("sequence"), row.number("sequence"))
        }
        let accepted = records.filter { $0["decision"] == "accepted" }.compactMap { $0["ticketId"] }
        XCTAssertEqual(Set(accepted).count, accepted.count, "a ticket passed twice")
        XCTAssertEqual(records.map { $0.number("sequence") }, Array(1...records.count), "a number is missing")
        XCTAssertEqual(try integrity(of: gate.folder.path("data/gate.sqlite"), in: gate.folder), "ok")
    }

    func testKeepsFiveHundredOfflineScansOverAKillAndARestart() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...500).map { try gate.ticket("T-\($0)") }
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(tickets.joined(separator: "\n") + "\n")
        try program.waitForLines(500)
        program.send(SIGKILL)
        XCTAssertEqual(program.wait(), -SIGKILL)
        let status = try Holdfast.run("gate", "status", "--data", gate.data, "--json", in: gate.folder)
        XCTAssertEqual(try status.objects().first?.number("queued"), 500)
        XCTAssertEqual(try gate.export().filter { $0["state"] == "queued" }.count, 500)
        XCTAssertEqual(try gate.answer(tickets[0])["reason"], "already_used")
    }

    func testEndsAtOnceWhenAsked() throws {
        for signal in [SIGTERM, SIGINT] {
            let gate = try Gate(for: self)
            let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
            try program.type(try gate.ticket("T-1") + "\n")
            try program.waitForLines(1)
            let asked = Date()
            program.send(signal)
            XCTAssertEqual(program.wait(), -signal)
            XCTAssertLessThan(Date().timeIntervalSince(asked), 2)
            XCTAssertEqual(
                try gate.export().compactMap { $0["scanId"] },
                try program.lines.map { try Row($0)["scanId"] }
            )
        }
    }
}
