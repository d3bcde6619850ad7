import XCTest

/// A device whose cable is pulled: what is logged meanwhile goes out when the kernel tells of the link's return.
final class NetworkOutageTests: XCTestCase {
    func testWhatWasLoggedInAnOutageIsDeliveredWhenTheLinkReturns() throws {
        let teller = try Teller(for: self)
        let networks = try TwoNetworks(for: self, in: teller.folder)
        let collector = try Collector(at: networks.server, in: teller.folder, for: self)
        var ids: [String] = []
        for round in 0..<2 {
            try networks.setLink(up: false, at: networks.device)
            ids += try teller.log(teller.lines(round * 700 + 1...round * 700 + 700))
            let command = ["telemetry", "deliver", "--data", teller.data, "--to", collector.eventsURL]
            let delivery = try Holdfast.start(
                command + ["--until-empty", "--timeout", "120"],
                at: networks.device,
                in: teller.folder
            )
            // Nothing but the netlink socket wakes it from here on: without a network no attempt is due, ever.
            try delivery.waitForError("there is no network")
            XCTAssertEqual(try collector.acceptedIDs().count, round * 700)
            // The second time the cable is not plugged in at the far end when the interface is switched on.
            if round == 1 { try networks.setLink(up: false, at: networks.server) }
            try networks.setLink(up: true, at: networks.device)
            if round == 1 { try networks.setLink(up: true, at: networks.server) }
            XCTAssertEqual(delivery.wait(), 0, delivery.output + delivery.errors)
            XCTAssertTrue(try collector.acceptedIDs() == ids, "all, once, in order")
        }
        XCTAssertEqual(try collector.violations(), [])
        XCTAssertEqual(try teller.status().number("queued"), 0)
    }
}
