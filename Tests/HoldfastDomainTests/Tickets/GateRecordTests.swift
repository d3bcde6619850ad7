import HoldfastDomain
import XCTest

final class GateRecordTests: XCTestCase {
    private func record() -> GateRecord {
        let at = ClockReading(
            wall: Timestamp(milliseconds: 1_780_000_000_123),
            uptime: .milliseconds(9_876_543),
            boot: BootID("boot \"1\"")
        )
        let place = GatePlace(event: "EV1", zone: "GA", gate: "nörth\n3", direction: .exit)
        return GateRecord(scanID: EntryID(high: 1, low: 2), place: place, at: at)
    }

    func testItReadsBackWhatItWrote() {
        var records = [record()]
        var full = record()
        full.sequence = 17
        full.clock = .anchored
        full.configurationVersion = 7
        full.ticketID = "T-1 \u{1F3AB} \\ \" \u{0}"
        full.eventID = "EV1"
        full.zoneID = "VIP"
        full.keyID = "k1"
        full.use = TicketUse(
            entries: 2,
            isInside: false,
            firstAt: Timestamp(milliseconds: 1_780_000_000_000),
            firstGate: "south",
            day: CivilDay(year: 2026, month: 5, day: 31),
            isReentry: true
        )
        records.append(full)
        var denied = record()
        denied.reasons = DenialCode.allCases
        denied.unreadable = UnreadableText(sha256: Array(0..<32), length: 4097)
        records.append(denied)
        var annulment = full
        annulment.annuls = EntryID(high: 3, low: 4)
        annulment.use = nil
        records.append(annulment)
        for record in records { XCTAssertEqual(GateRecord(json: record.json), record) }
        XCTAssertEqual(records.map(\.verdict), [.accepted, .accepted, .denied, .annulled])
    }

    func testTheMembersAreThePromisedOnes() throws {
        let value = try JSONValue.parse(record().json)
        XCTAssertEqual(
            value.objectValue?.members.map(\.name),
            [
                "scanId", "sequence", "decision", "reason", "reasons", "ticketId", "eventId", "zoneId", "keyId", "gate",
                "gateEvent", "gateZone", "direction", "at", "uptime", "boot", "clock", "configVersion", "unreadable",
                "use", "annuls",
            ]
        )
        XCTAssertEqual(value["at"]?.stringValue, "2026-05-28T20:26:40.123Z")
        XCTAssertEqual(value["direction"]?.stringValue, "out")
        XCTAssertEqual(value["decision"]?.stringValue, "accepted")
        XCTAssertEqual(value["sequence"], .null)
    }

    func testAnythingElseIsNoRecord() throws {
        XCTAssertNil(GateRecord(json: []))
        XCTAssertNil(GateRecord(json: Array("[]".utf8)))
        let object = try XCTUnwrap(try JSONValue.parse(record().json).objectValue)
        for name in ["scanId", "reasons", "gate", "direction", "at", "uptime", "boot", "clock"] {
            for value: JSONValue? in [nil, .null, .double(0.5)] {
                var broken = object
                broken[name] = value
                XCTAssertNil(GateRecord(json: try JSONValue.object(broken).encoded()), name)
            }
        }
        var unknown = object
        unknown["reasons"] = ["made_up"]
        XCTAssertNil(GateRecord(json: try JSONValue.object(unknown).encoded()))
        var newer = object
        newer["weather"] = "fine"
        XCTAssertNotNil(GateRecord(json: try JSONValue.object(newer).encoded()), "a newer writer may say more")
    }

    func testDaysOfAnyYear() {
        for day in [
            CivilDay(year: 2026, month: 1, day: 9), CivilDay(year: 0, month: 12, day: 31),
            CivilDay(year: -292_275_054, month: 5, day: 16), CivilDay(year: 292_278_994, month: 8, day: 17),
        ] {
            var record = record()
            let at = record.at.wall
            record.use = TicketUse(entries: 1, isInside: true, firstAt: at, firstGate: "g", day: day)
            XCTAssertEqual(GateRecord(json: record.json)?.use?.day, day)
        }
    }
}
