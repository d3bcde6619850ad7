import HoldfastInMemory
import HoldfastKit
import Patience
import XCTest

/// What a gate that is killed at any moment has promised: what it printed is recorded, and no ticket passes twice.
final class KilledGateTests: XCTestCase {
    func testForgetsNothingThatItSaidWhenKilledTwoHundredTimes() throws {
        let gate = try Gate(for: self)
        let random = SystemRandomNumberGenerator()
        var generator = random
        let tickets = try (1...400).map { try gate.ticket("T-\($0)") }
        var printed: [Row] = []
        var killed = 0
        // About as long as it takes to start and to answer a few lines, however fast the machine is.
        var usual: UInt32 = 100_000
        for _ in 0..<200 {
            let lines = tickets.shuffled(using: &generator).joined(separator: "\n")
            let program = try Holdfast.start(gate.scanWords(), input: lines, in: gate.folder)
            usleep(UInt32.random(in: 0...usual, using: &generator))
            program.send(SIGKILL)
            let isKilled = program.wait() == -SIGKILL
            if isKilled { killed += 1 }
            let rows = try program.lines.map(Row.init)
            printed += rows
            if rows.isEmpty { usual += usual / 8 }
            if !isKilled || rows.count > 5 { usual -= usual / 8 }
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
        let files = try FileManager.default.contentsOfDirectory(atPath: gate.data)
        XCTAssertEqual(files.filter { $0.contains("damaged") }, [], "a log that a kill leaves is sound")
        XCTAssertEqual(try gate.integrity(), "ok")
    }

    func testKeepsFiveHundredOfflineScansOverAKillAndARestart() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...500).map { try gate.ticket("T-\($0)") }
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(tickets.joined(separator: "\n") + "\n")
        try program.waitForLines(500)
        program.send(SIGKILL)
        XCTAssertEqual(program.wait(), -SIGKILL)
        XCTAssertEqual(try gate.status().number("queued"), 500)
        XCTAssertEqual(try gate.export().filter { $0["state"] == "queued" }.count, 500)
        XCTAssertEqual(try gate.answer(tickets[0])["reason"], "already_used")
    }

    func testEndsAtOnceWhenAsked() throws {
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
            let gate = try Gate(for: self)
            let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
            try program.type(try gate.ticket("T-1") + "\n")
            try program.waitForLines(1)
            try program.type("half a li")
            program.send(signal)
            XCTAssertEqual(program.wait(), 0, "signal \(signal): \(program.errors)")
            XCTAssertEqual(program.errors, "")
            XCTAssertEqual(program.lines.count, 1)
            XCTAssertEqual(
                try gate.export().compactMap { $0["scanId"] },
                try program.lines.map { try Row($0)["scanId"] }
            )
        }
    }

    func testFinishesTheLineInHandWhenAskedInTheMiddleOfMany() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...400).map { try gate.ticket("T-\($0)") }
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
            let program = try Holdfast.start(gate.scanWords(), input: tickets.joined(separator: "\n"), in: gate.folder)
            try program.waitForLines(3)
            program.send(signal)
            XCTAssertEqual(program.wait(), 0, program.errors)
            XCTAssertEqual(program.output.last, "\n", "an answer was cut off")
            let known = Set(try gate.export().compactMap { $0["scanId"] })
            let printed = try program.lines.map { try Row($0)["scanId"] ?? "" }
            XCTAssertTrue(known.isSuperset(of: printed))
        }
        let records = try gate.export()
        let accepted = records.filter { $0["decision"] == "accepted" }.compactMap { $0["ticketId"] }
        XCTAssertEqual(Set(accepted).count, accepted.count)
        XCTAssertEqual(try gate.integrity(), "ok")
    }

    func testEndsWithoutTheLineInHandWhenAskedAgain() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(try gate.ticket("T-0") + "\n")
        try program.waitForLines(1)
        let locker = try gate.holdingTheLock()
        try program.type(try gate.ticket("T-1") + "\n")
        try program.waitUntilRead()
        let patience = Patience("it ends")
        while program.isRunning {
            program.send(SIGTERM)
            try patience.rest()
        }
        // It ends well if the first signal came before the line was in hand; it never waits for the lock.
        XCTAssertTrue([-SIGTERM, 0].contains(program.wait()), program.errors)
        XCTAssertEqual(program.lines.count, 1)
        try locker.closeInput()
        locker.wait()
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted", "it was not used up")
    }

    func testIgnoresWhatItsStarterHadIgnored() throws {
        let gate = try Gate(for: self)
        let command = ["trap '' HUP; exec \"$@\"", "sh", Holdfast.executable.path] + gate.scanWords()
        let program = try Program(URL(fileURLWithPath: "/bin/sh"), ["-c"] + command, input: nil, in: gate.folder)
        try program.type(try gate.ticket("T-1") + "\n")
        try program.waitForLines(1)
        program.send(SIGHUP)
        try program.type(try gate.ticket("T-2") + "\n")
        try program.waitForLines(2)
        program.send(SIGTERM)
        XCTAssertEqual(program.wait(), 0, program.errors)
    }

    func testEndsWithASentenceWhenNobodyReadsItsAnswers() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...400).map { try gate.ticket("T-\($0)") }.joined(separator: "\n")
        let lines = try gate.folder.file("lines", tickets)
        let script = "out=$1; in=$2; shift 2; { \"$@\" < $in; echo $? > $out; } | head -n 3 > /dev/null"
        let code = gate.folder.path("code")
        let program = try Program(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", script, "sh", code, lines, Holdfast.executable.path] + gate.scanWords(),
            input: Data(),
            in: gate.folder
        )
        program.wait()
        XCTAssertEqual(program.errors, "holdfast: the answer cannot be written: nobody reads it any more\n")
        XCTAssertEqual(try String(contentsOfFile: code, encoding: .utf8), "1\n")
        let records = try gate.export()
        XCTAssertGreaterThanOrEqual(records.count, 3)
        XCTAssertEqual(records.map { $0.number("sequence") }, Array(1...records.count))
    }
}
