import HoldfastKit
import XCTest

/// `gate rotate-key`: nothing is lost by a new key, whoever is at work meanwhile.
final class GateRotationTests: XCTestCase {
    private func rotate(_ gate: Gate, _ more: String...) throws -> Outcome {
        try Holdfast.run(["gate", "rotate-key", "--data", gate.data] + more, input: Data(), in: gate.folder)
    }

    private func keys(of gate: Gate) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: gate.folder.path("data/vault"))
            .filter { $0.hasPrefix("gate.key.") }.sorted()
    }

    func testANewKeySealsAndTheOldOneGoesWhenNothingNeedsIt() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        XCTAssertEqual(try rotate(gate, "--json").objects().first?.number("keyId"), 2)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-2"))["decision"], "accepted")
        XCTAssertEqual(try keys(of: gate), ["gate.key.1", "gate.key.2"])
        let outcome = try rotate(gate, "--reseal")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.output, "key 3 seals from now on\n")
        XCTAssertEqual(try keys(of: gate), ["gate.key.3"])
        XCTAssertEqual(try gate.export().compactMap { $0["ticketId"] }, ["T-1", "T-2"])
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["reason"], "already_used")
    }

    func testAGateThatRunsFollows() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        for number in 1...3 {
            try program.type(try gate.ticket("T-\(number)") + "\n")
            try program.waitForLines(number)
            XCTAssertEqual(try rotate(gate, "--reseal").status, 0)
        }
        try program.closeInput()
        XCTAssertEqual(program.wait(), 0, program.errors)
        XCTAssertEqual(try gate.export().compactMap { $0["ticketId"] }, ["T-1", "T-2", "T-3"])
    }

    func testTheStatusSaysBeforeTheFirstScanThatNothingCanBeRecorded() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.status().flag("newestKeyDamaged"), false)
        try Data("garbled".utf8).write(to: gate.folder.url("data/vault/gate.key.1"))
        XCTAssertEqual(try gate.status().flag("newestKeyDamaged"), true)
        let people = try Holdfast.run("gate", "status", "--data", gate.data, in: gate.folder)
        XCTAssertTrue(people.output.contains("the newest is damaged: nothing is recorded"), people.output)
        XCTAssertEqual(try rotate(gate).status, 0)
        XCTAssertEqual(try gate.status().flag("newestKeyDamaged"), false)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
    }

    func testADamagedNewestKeyIsNoEnd() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        let key = gate.folder.url("data/vault/gate.key.1")
        let whole = try Data(contentsOf: key)
        try whole.prefix(10).write(to: key)
        let stuck = try gate.scan([try gate.ticket("T-2")])
        XCTAssertEqual(stuck.status, 1)
        XCTAssertEqual(try stuck.objects().first?["reason"], "cannot_record")

        let outcome = try rotate(gate, "--reseal")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.output, "key 2 seals from now on\n")
        XCTAssertTrue(
            outcome.errors.hasSuffix("holdfast: 1 record cannot be opened; gate status says why\n"),
            outcome.errors
        )
        XCTAssertEqual(try gate.answer(try gate.ticket("T-2"))["decision"], "accepted")
        try whole.write(to: key)
        XCTAssertEqual(try gate.export().compactMap { $0["ticketId"] }, ["T-1", "T-2"], "nothing was given up")
    }

    func testThereMustBeAGate() throws {
        let folder = try Folder(for: self)
        let outcome = try Holdfast.run("gate", "rotate-key", "--data", folder.path("data"), in: folder)
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.errors.hasPrefix("holdfast: there is no gate data in "), outcome.errors)
    }
}
