import HoldfastKit
import XCTest

/// What a gate still knows when the log that a killed process left is damaged, and what it says of it.
final class CutOffLogTests: XCTestCase {
    private struct Killed {
        let gate: Gate
        let tickets: [String]
        var log: Data

        /// A gate that was killed after it had let 50 in.
        init(for test: XCTestCase) throws {
            gate = try Gate(for: test)
            tickets = try (1...50).map { [gate] in try gate.ticket("T-\($0)") }
            let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
            try program.type(tickets.joined(separator: "\n") + "\n")
            try program.waitForLines(50)
            program.send(SIGKILL)
            XCTAssertEqual(program.wait(), -SIGKILL)
            log = try Data(contentsOf: gate.folder.url("data/gate.sqlite-wal"))
        }

        /// Where frames begin whose pages are written again in later ones (https://sqlite.org/fileformat2.html, section 4).
        var rewritten: [Int] {
            let starts = stride(from: 32, to: log.count - 4119, by: 4120)
            var later: Set<Data> = []
            return starts.reversed().filter { !later.insert(log[$0..<$0 + 4]).inserted }.reversed()
        }

        /// How many of the tickets are let in again, and what is said.
        func again() throws -> (accepted: Int, errors: String) {
            try log.write(to: gate.folder.url("data/gate.sqlite-wal"))
            let scan = try gate.scan(tickets)
            XCTAssertEqual(scan.status, 0, scan.errors)
            let rows = try scan.objects()
            XCTAssertEqual(rows.count, 50)
            XCTAssertEqual(try gate.integrity(), "ok")
            let aside = gate.folder.url("data/gate.sqlite.damaged-1-wal")
            XCTAssertEqual(try? Data(contentsOf: aside), log, "what is damaged is kept")
            return (rows.filter { $0["decision"] == "accepted" }.count, scan.errors)
        }
    }

    func testABitThatFlipsLetsNobodyInTwice() throws {
        for part in [1, 2, 3] {
            var killed = try Killed(for: self)
            let frames = killed.rewritten
            XCTAssertGreaterThan(frames.count, 50)
            killed.log[frames[frames.count * part / 4] + 3000] ^= 4
            let (accepted, errors) = try killed.again()
            XCTAssertEqual(accepted, 0, "part \(part)")
            XCTAssertEqual(
                errors,
                "holdfast: a damaged database was moved aside; what is lost is not known (11)\n"
            )
        }
    }

    func testAHeaderThatIsGoneLetsNobodyInTwice() throws {
        var killed = try Killed(for: self)
        killed.log.replaceSubrange(0..<32, with: Data(count: 32))
        XCTAssertEqual(try killed.again().accepted, 0)
    }

    func testAPartThatIsGoneIsCounted() throws {
        var killed = try Killed(for: self)
        let half = killed.log.count / 2
        killed.log.replaceSubrange(half / 2..<half, with: Data(count: half - half / 2))
        let (accepted, errors) = try killed.again()
        XCTAssertGreaterThan(accepted, 0)
        XCTAssertEqual(
            errors,
            "holdfast: a damaged database was moved aside; at least \(accepted) of its entries are lost (11)\n"
        )
        let sequences = try killed.gate.export().map { $0.number("sequence") }
        XCTAssertEqual(sequences.suffix(50), Array(51...100), "no number is given out twice")
        XCTAssertEqual(sequences.count, 100 - accepted)
    }
}
