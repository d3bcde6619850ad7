import HoldfastKit
import XCTest

/// Several processes on one data directory.
final class ManyGatesTests: XCTestCase {
    func testAcceptATicketOnceAmongEight() throws {
        let gate = try Gate(for: self)
        let ticket = try gate.ticket("T-1")
        let programs = try (0..<8).map { number in
            try Holdfast.start(gate.scanWords(gate: "g\(number)"), input: nil, in: gate.folder)
        }
        for program in programs { try program.type(ticket + "\n") }
        for program in programs { try program.closeInput() }
        for program in programs { XCTAssertEqual(program.wait(), 0, program.errors) }
        XCTAssertEqual(programs.map(\.errors).joined(), "")
        let rows = try programs.flatMap { try $0.lines.map(Row.init) }
        XCTAssertEqual(rows.count, 8)
        XCTAssertEqual(rows.filter { $0["decision"] == "accepted" }.count, 1)
        XCTAssertEqual(rows.filter { $0["reason"] == "already_used" }.count, 7)
        let records = try gate.export()
        XCTAssertEqual(Set(records.map { $0["scanId"] }), Set(rows.map { $0["scanId"] }))
        XCTAssertEqual(records.map { $0.number("sequence") }, Array(1...8))
    }

    func testShareACrowdWithoutAnError() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...40).map { try gate.ticket("T-\($0)") }
        let programs = try (0..<4).map { _ in
            try Holdfast.start(gate.scanWords(), input: tickets.shuffled().joined(separator: "\n"), in: gate.folder)
        }
        for program in programs { XCTAssertEqual(program.wait(), 0, program.errors) }
        let rows = try programs.flatMap { try $0.lines.map(Row.init) }
        XCTAssertEqual(rows.count, 160)
        XCTAssertEqual(rows.filter { $0["decision"] == "accepted" }.count, 40)
        XCTAssertEqual(rows.filter { $0["reason"] == "already_used" }.count, 120)
        XCTAssertEqual(try gate.export().count, 160)
    }

    func testFollowAConfigurationThatAnotherInstalls() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(try gate.ticket("T-1") + "\n")
        try program.waitForLines(1)
        let revoking = gate.configuration(version: 2, event: "\"revoked\":[\"T-2\"]")
        XCTAssertEqual(try gate.install(revoking).status, 0)
        try program.type(try gate.ticket("T-2") + "\n")
        try program.closeInput()
        XCTAssertEqual(program.wait(), 0, program.errors)
        XCTAssertEqual(try program.lines.map { try Row($0)["reason"] }, [nil, "revoked"])
    }
}
