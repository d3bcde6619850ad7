import HoldfastKit
import XCTest

/// A wall clock that is set back or forward by years while no gate runs, and no server's time to hold it against.
final class ClockBetweenRunsTests: XCTestCase {
    private func ticket(_ id: String, _ gate: Gate) throws -> String {
        try gate.sign(gate.claims(id, from: "2000-01-01T00:00:00Z", to: "2090-01-01T00:00:00Z"))
    }

    func testSetBackBehindTheNewestRecord() throws {
        let gate = try Gate(for: self)
        let text = try ticket("T-1", gate)
        XCTAssertEqual(try gate.answer(text)["clock"], "unanchored")
        for (moment, clock) in [
            ("2026-05-01T19:59:51Z", "unanchored"), ("2026-05-01T19:59:49Z", "suspect"),
            ("2006-05-01T20:00:00Z", "suspect"), ("2026-05-01T20:00:01Z", "unanchored"),
        ] {
            let answer = try gate.answer(text, at: moment)
            XCTAssertEqual(answer["clock"], clock, moment)
            XCTAssertTrue(answer.strings("reasons")?.contains("already_used") ?? false, "whatever the clock says")
        }
        XCTAssertEqual(try gate.export().map { $0["clock"] }.suffix(3), ["suspect", "suspect", "unanchored"])
        XCTAssertEqual(try gate.export().map { $0.number("sequence") }, Array(1...5))
    }

    func testSetBackBehindTheMakingOfTheConfiguration() throws {
        let gate = try Gate(for: self)
        let made = gate.configuration(version: 2).replacingOccurrences(
            of: "\"version\":2",
            with: "\"version\":2,\"issuedAt\":\"2026-04-01T00:00:00Z\""
        )
        XCTAssertEqual(try gate.install(made).status, 0)
        XCTAssertEqual(try gate.answer(try ticket("T-1", gate), at: "2016-05-01T20:00:00Z")["clock"], "suspect")
        XCTAssertEqual(try gate.answer(try ticket("T-2", gate), at: "2026-04-01T00:00:00Z")["clock"], "unanchored")
    }

    func testSetForwardAndBackAgain() throws {
        let gate = try Gate(for: self)
        let first = try ticket("T-1", gate)
        XCTAssertEqual(try gate.answer(first)["decision"], "accepted")
        // Nothing that the device knows speaks against it; the records say when they were made.
        XCTAssertEqual(try gate.answer(try ticket("T-2", gate), at: "2066-05-01T20:00:00Z")["clock"], "unanchored")
        let back = try gate.answer(try ticket("T-3", gate), at: "2026-05-01T20:00:05Z")
        XCTAssertEqual(back["decision"], "accepted", "the default is to flag")
        XCTAssertEqual(back["clock"], "suspect", "one of the two clocks was wrong, and nobody knows which")
        XCTAssertEqual(try gate.answer(first, at: "2026-05-01T20:00:06Z")["reason"], "already_used")
    }

    func testASyncUnderAnyClockForgetsNoUse() throws {
        let gate = try Gate(for: self)
        let collector = try Collector(in: gate.folder, for: self)
        let text = try ticket("T-1", gate)
        for moment in ["2004-05-01T20:00:00Z", "2080-05-01T20:00:00Z", "2026-05-01T20:00:00Z"] {
            XCTAssertEqual(try gate.scan([text, "x"], at: moment).lines.count, 2)
            let words = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
            XCTAssertEqual(try Holdfast.run(words, input: Data(), in: gate.folder).status, 0)
        }
        let used = try gate.export().filter { $0["ticketId"] == "T-1" }.map { $0["decision"] }
        XCTAssertEqual(used.filter { $0 == "accepted" }.count, 1)
        XCTAssertEqual(try gate.answer(text, at: "2089-05-01T20:00:00Z")["reason"], "already_used")
        XCTAssertEqual(try collector.acceptedIDs().count, 6)
    }
}
