import HoldfastKit
import XCTest

/// `gate scan`: what it answers, in which form, and when.
final class GateScanTests: XCTestCase {
    func testAcceptsOnceAndSaysWhenAndWhere() throws {
        let gate = try Gate(for: self)
        let ticket = try gate.ticket("T-1")
        let first = try gate.answer(ticket)
        XCTAssertEqual(first["decision"], "accepted")
        XCTAssertEqual(first["ticketId"], "T-1")
        XCTAssertEqual(first["zoneId"], "GA")
        XCTAssertEqual(first["validTo"], "2026-05-02T02:00:00.000Z")
        XCTAssertEqual(first["at"], "2026-05-01T20:00:00.000Z")
        XCTAssertEqual(first.number("entries"), 1)
        XCTAssertEqual(first.number("sequence"), 1)
        XCTAssertEqual(first["signature"]?.count, 86)
        let second = try gate.answer(ticket, gate: "south", at: "2026-05-01T20:00:05Z")
        XCTAssertEqual(second["reason"], "already_used")
        XCTAssertEqual(second["firstUsedAt"], "2026-05-01T20:00:00.000Z")
        XCTAssertEqual(second["firstGate"], "north")
        XCTAssertNotEqual(first["scanId"], second["scanId"])
        XCTAssertEqual(first.names, second.names)
    }

    func testHasExactlyTheStatedMembers() throws {
        let gate = try Gate(for: self)
        let expected: Set = [
            "decision", "reason", "reasons", "ticketId", "eventId", "zoneId", "issuedAt", "validFrom", "validTo",
            "signature", "scanId", "sequence", "at", "repeat", "clock", "firstUsedAt", "firstGate", "entries",
        ]
        for text in [try gate.ticket("T-1"), "nonsense"] { XCTAssertEqual(try gate.answer(text).names, expected) }
    }

    func testAcceptsWhatOpenSSLSignedInEachForm() throws {
        let gate = try Gate(for: self)
        let key = try gate.folder.file("k1.pem", try gate.key.pem())
        for format in ["holdfast", "compact", "jws"] {
            let signer = try Program(
                Holdfast.package.appendingPathComponent("Fixtures/sign-with-openssl"),
                ["--key", key, "--format", format, "--key-id", "k1"],
                input: Data(gate.claims("T-\(format)", more: "").utf8),
                in: gate.folder
            )
            XCTAssertEqual(signer.wait(), 0, signer.errors)
            XCTAssertEqual(try gate.answer(signer.output)["decision"], "accepted", format)
        }
    }

    func testTellsEachKindOfDenial() throws {
        let gate = try Gate(for: self)
        let stranger = try SigningKey()
        let used = try gate.ticket("T-used")
        let cases: [(String, String?)] = [
            (used, nil), (used, "already_used"),
            (try gate.sign(gate.claims("T-used"), by: stranger), "bad_signature"),
            (try gate.sign(gate.claims("T-1", to: "2026-05-01T19:00:00Z")), "expired"),
            (try gate.sign(gate.claims("T-1", from: "2026-05-01T21:00:00Z")), "not_yet_valid"),
            (try gate.sign(gate.claims("T-1", zone: "VIP")), "wrong_zone"),
            (try gate.sign(gate.claims("T-1", event: "EV2")), "unknown_event"),
            (try gate.sign(gate.claims("T-1", more: ",\"keyId\":\"k9\"")), "unknown_key"),
            (String(used.dropLast(2)), "malformed"), ("eyJ", "malformed"),
            ("https://example.com/T-1", "unsupported_format"),
            ("WIFI:T:WPA;S=net;P:pass;;", "unsupported_format"), ("HC1:NCFOXN%TS3DH3ZSUZK+", "unsupported_format"),
        ]
        let outcome = try gate.scan(cases.map(\.0))
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try outcome.objects().map { $0["reason"] }, cases.map(\.1))
        XCTAssertEqual(try gate.export().map { $0["reason"] }, cases.map(\.1), "every attempt is recorded")
    }

    func testHasItsOwnReasonWithoutKeys() throws {
        let gate = try Gate(for: self)
        let data = gate.folder.path("empty")
        // As opening leaves it that was interrupted before an installation.
        try FileManager.default.createDirectory(atPath: data + "/vault", withIntermediateDirectories: true)
        let outcome = try Holdfast.run(
            "gate",
            "scan",
            "--data",
            data,
            "--event",
            "EV1",
            "--zone",
            "GA",
            "--json",
            input: try gate.ticket("T-1") + "\n",
            in: gate.folder
        )
        XCTAssertEqual(try outcome.objects().first?["reason"], "no_keys", outcome.errors)
        let export = try Holdfast.run("gate", "export", "--data", data, "--json", in: gate.folder)
        XCTAssertEqual(try export.objects().map { $0["reason"] }, ["no_keys"])
    }

    func testSaysThatTheEventIsNotInstalled() throws {
        let gate = try Gate(for: self)
        let words = ["gate", "scan", "--data", gate.data, "--event", "ev1", "--zone", "GA", "--at", Gate.now]
        let outcome = try Holdfast.run(words, input: Data((try gate.ticket("T-1") + "\n").utf8), in: gate.folder)
        XCTAssertEqual(outcome.status, 0)
        XCTAssertTrue(outcome.output.hasPrefix("DENIED    T-1"), outcome.output)
        XCTAssertEqual(outcome.errors, "holdfast: the configuration in force has no event ev1: nobody is let in\n")
        XCTAssertEqual(try gate.scan([try gate.ticket("T-1")]).errors, "")
    }

    func testTakesTheWindowHalfOpen() throws {
        let gate = try Gate(for: self)
        let moments = [
            "2026-05-01T17:59:59Z": "not_yet_valid", "2026-05-01T18:00:00Z": nil, "2026-05-02T01:59:59.999Z": nil,
            "2026-05-02T04:00:00+02:00": "expired",
        ]
        for (number, (moment, reason)) in moments.enumerated() {
            XCTAssertEqual(try gate.answer(try gate.ticket("T-\(number)"), at: moment)["reason"], reason, moment)
        }
    }

    func testGivesACodeInViewItsFirstAnswerAgain() throws {
        let gate = try Gate(for: self)
        let rows = try gate.scan(Array(repeating: try gate.ticket("T-1"), count: 30), presence: nil).objects()
        XCTAssertEqual(rows.count, 30)
        XCTAssertEqual(Set(rows.map { $0["scanId"] }).count, 1)
        XCTAssertEqual(rows.map { $0.flag("repeat") }, [false] + Array(repeating: true, count: 29))
        XCTAssertEqual(try gate.export().count, 1)
    }

    func testLetsPeopleOutAndInAgain() throws {
        let gate = try Gate(for: self, event: "\"admission\":{\"reentry\":true}")
        let ticket = try gate.ticket("T-1")
        XCTAssertEqual(try gate.answer(ticket, "--direction=out")["reason"], "not_inside")
        XCTAssertEqual(try gate.answer(ticket)["decision"], "accepted")
        XCTAssertEqual(try gate.answer(ticket)["reason"], "already_used")
        XCTAssertEqual(try gate.answer(ticket, "--direction=out")["decision"], "accepted")
        XCTAssertEqual(try gate.answer(ticket)["decision"], "accepted")
    }

    func testAnswersEachLineBeforeTheNext() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        for number in 1...3 {
            try program.type(try gate.ticket("T-\(number)") + "\r")
            try program.waitForLines(number)
            XCTAssertEqual(program.lines.count, number)
        }
        try program.closeInput()
        XCTAssertEqual(program.wait(), 0, program.errors)
    }

    func testSpeaksToPeopleWithoutColourWhereNobodyLooks() throws {
        let gate = try Gate(for: self)
        let words = gate.scanWords().filter { $0 != "--json" }
        let lines = try [gate.ticket("T-1"), gate.ticket("T-1"), "x y"].joined(separator: "\n")
        let outcome = try Holdfast.run(words, input: Data(lines.utf8), in: gate.folder)
        XCTAssertEqual(
            outcome.lines,
            [
                "ACCEPTED  T-1  zone GA, entry 1",
                "DENIED    T-1  used already: first at 2026-05-01T20:00:00.000Z, at north",
                "DENIED    -  not a ticket of a kind this gate reads",
            ]
        )
    }

    func testRefusesArgumentsThatItCannotUse() throws {
        let gate = try Gate(for: self)
        for more in [["--at", "yesterday"], ["--presence", "-1"], ["--presence", "x"], ["--direction", "up"]] {
            let words = gate.scanWords(more, at: nil, presence: nil)
            let outcome = try Holdfast.run(words, input: Data("x\n".utf8), in: gate.folder)
            XCTAssertEqual(outcome.status, 2, "\(more)")
            XCTAssertEqual(outcome.output, "")
        }
        XCTAssertEqual(try gate.export().count, 0)
    }
}
