import Holdfast
import XCTest

@testable import HoldfastCLI

final class DecisionTextTests: XCTestCase {
    private let at = ClockReading(
        wall: Timestamp(milliseconds: 1_777_000_000_000),
        uptime: .seconds(5),
        boot: BootID("b")
    )

    private func decision(_ reasons: [DenialCode] = [], ticket id: String? = "T-1", use: TicketUse? = nil) -> Decision {
        var record = GateRecord(
            scanID: EntryID(high: 1, low: 2),
            sequence: 7,
            reasons: reasons,
            place: GatePlace(event: "EV1", zone: "GA", gate: "north"),
            at: at,
            clock: .unanchored
        )
        record.ticketID = id
        let ticket = id.map {
            TicketClaims(
                Ticket(
                    id: $0,
                    event: "EV1",
                    zone: "GA",
                    validTo: Timestamp(milliseconds: 0),
                    signature: [0xfb, 0xff],
                    signedBytes: []
                )
            )
        }
        return Decision(record, ticket: ticket, use: use)
    }

    private let use = TicketUse(entries: 1, isInside: true, firstAt: Timestamp(milliseconds: 0), firstGate: "south")

    func testHasEveryMemberInJSON() throws {
        XCTAssertEqual(
            String(decoding: try JSONValue.object(decision(use: use).json).encoded(), as: UTF8.self),
            """
            {"decision":"accepted","reason":null,"reasons":[],"ticketId":"T-1","eventId":"EV1","zoneId":"GA",\
            "issuedAt":null,"validFrom":null,"validTo":"1970-01-01T00:00:00.000Z","signature":"-_8",\
            "scanId":"00000000-0000-0001-0000-000000000002","sequence":7,"at":"2026-04-24T03:06:40.000Z",\
            "repeat":false,"clock":"unanchored","firstUsedAt":"1970-01-01T00:00:00.000Z","firstGate":"south",\
            "entries":1}
            """
        )
        let denied = decision([.malformed], ticket: nil).json
        XCTAssertEqual(denied.members.map(\.name), decision().json.members.map(\.name))
        XCTAssertEqual(denied["decision"], "denied")
        XCTAssertEqual(denied["reason"], "malformed")
        XCTAssertEqual(denied["ticketId"], JSONValue.null)
    }

    func testSaysInWordsWhatItDecided() {
        XCTAssertEqual(decision(use: use).line(inColour: false), "ACCEPTED  T-1  zone GA, entry 1")
        XCTAssertEqual(
            decision([.alreadyUsed, .expired], use: use).line(inColour: false),
            "DENIED    T-1  used already: first at 1970-01-01T00:00:00.000Z, at south; also: no longer valid"
        )
        var malformed = decision([.malformed], ticket: nil)
        malformed.malformed = .encoding
        XCTAssertEqual(
            malformed.line(inColour: false),
            "DENIED    -  not a whole ticket: it is not canonical base64url"
        )
        XCTAssertEqual(
            decision(use: use).repeated.line(inColour: false),
            "ACCEPTED  T-1  zone GA, entry 1  (still in view)"
        )
    }

    func testUsesColourOnlyBesideTheWords() {
        for reasons in [[], [DenialCode.expired]] {
            let plain = decision(reasons).line(inColour: false)
            let coloured = decision(reasons).line(inColour: true)
            XCTAssertFalse(plain.contains("\u{1b}"))
            XCTAssertTrue(coloured.contains("\u{1b}["))
            XCTAssertTrue(coloured.contains(plain.prefix(8)))
        }
    }

    func testLetsNoTicketCommandTheTerminal() {
        let line = decision([.badSignature], ticket: "\u{1b}[2J\n\u{202e}é").line(inColour: false)
        XCTAssertTrue(line.contains("\\u{1b}[2J\\u{a}\\u{202e}é"), line)
        let long = decision([.badSignature], ticket: String(repeating: "x", count: 500)).line(inColour: false)
        XCTAssertLessThan(long.count, 200)
    }

    func testHasWordsForEveryDenial() {
        let words = DenialCode.allCases.map(\.words)
        XCTAssertEqual(Set(words).count, DenialCode.allCases.count)
        XCTAssertFalse(words.contains { $0.isEmpty })
    }

    func testRoundsWaitsUp() {
        XCTAssertEqual(Interval.zero.words, "0 s")
        XCTAssertEqual(Interval.milliseconds(1).words, "1 s")
        XCTAssertEqual(Interval.milliseconds(1001).words, "2 s")
        XCTAssertEqual(Interval.seconds(121).words, "3 min")
        XCTAssertEqual(Interval.hours(25).words, "25 h")
        XCTAssertEqual(Interval(milliseconds: .min).words, "0 s")
        XCTAssertEqual(Interval(milliseconds: .max).words.suffix(2), " h")
    }
}
