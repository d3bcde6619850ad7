import HoldfastDomain
import XCTest

final class GateTicketReaderTests: XCTestCase {
    private func reader(gateEvent: String, _ events: [(String, TicketEvent.Format)]) -> GateTicketReader {
        let events = events.map { TicketEvent(id: $0.0, format: $0.1, keys: []) }
        let configuration = events.isEmpty ? nil : KeyConfiguration(version: 1, events: events)
        return GateTicketReader(configuration: configuration, place: GatePlace(event: gateEvent, zone: "GA"))
    }

    func testWithoutAConfigurationTicketsAreReadAllTheSame() {
        XCTAssertEqual(reader(gateEvent: "EV1", []).read(SampleTickets.holdfast).ticket?.id, "T-1")
        XCTAssertEqual(reader(gateEvent: "EV1", []).read("https://example.com"), .foreign)
    }

    func testATicketIsReadAsItsOwnEventWritesThem() {
        let reader = reader(gateEvent: "OTHER", [("OTHER", .holdfast), ("EV1", .canonical), ("P", .pretix)])
        let plain = SampleTickets.claims.replacing("{", with: #"{ "#)
        let text = SampleTickets.text(SampleTickets.signed(plain))
        XCTAssertEqual(reader.read(text), TicketReader(.canonical).read(text))
        XCTAssertNotEqual(reader.read(text), TicketReader(.holdfast).read(text))
        let own = SampleTickets.text(SampleTickets.signed(plain.replacing("EV1", with: "OTHER")))
        XCTAssertEqual(reader.read(own), TicketReader(.holdfast).read(own))
        let unknown = SampleTickets.text(SampleTickets.signed(plain.replacing("EV1", with: "EV9")))
        XCTAssertEqual(reader.read(unknown), TicketReader(.holdfast).read(unknown))
        XCTAssertEqual(reader.read(SampleTickets.pretix).ticket?.id, "seed-0001")
    }

    func testTheGatesOwnFormatSaysWhatIsWrong() {
        let pretix = reader(gateEvent: "P", [("EV1", .holdfast), ("P", .pretix)])
        XCTAssertEqual(pretix.read(SampleTickets.pretix).ticket?.id, "seed-0001")
        XCTAssertEqual(pretix.read(SampleTickets.holdfast).ticket?.id, "T-1")
        XCTAssertEqual(pretix.read(SampleTickets.compact).ticket?.id, "T-1")
        XCTAssertEqual(pretix.read("AAAA"), .malformed(.structure))
        let holdfast = reader(gateEvent: "EV1", [("P", .pretix), ("EV1", .holdfast)])
        XCTAssertEqual(holdfast.read("AAAA"), .malformed(.json))
        XCTAssertEqual(holdfast.read(""), .malformed(.empty))
        XCTAssertEqual(holdfast.read("WIFI:;"), .foreign)
    }

    func testAnEventWithoutCompactTicketsDoesNotReadThem() {
        // The event is canonical: a compact text naming it is of no format that it writes.
        let canonical = reader(gateEvent: "EV1", [("EV1", .canonical), ("E2", .holdfast)])
        XCTAssertEqual(canonical.read(SampleTickets.compact), .foreign)
    }
}
