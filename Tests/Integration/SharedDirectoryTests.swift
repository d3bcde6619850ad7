import XCTest

/// A gate and telemetry in one data directory: neither touches what is the other's.
final class SharedDirectoryTests: XCTestCase {
    func testAGateAndTelemetryKeepOutOfEachOthersWay() throws {
        let gate = try Gate(for: self)
        let teller = Teller(beside: gate)
        XCTAssertEqual(try gate.scan([try gate.ticket("T-1")]).status, 0)
        _ = try teller.log(teller.lines(1...3))
        XCTAssertEqual(try teller.run("erase").status, 0)
        XCTAssertEqual(try gate.export().map { $0["ticketId"] }, ["T-1"])
        _ = try teller.log(teller.lines(4...6))
        XCTAssertEqual(try teller.run("rotate-key", "--reseal").status, 0)
        let collector = try Collector(in: gate.folder, for: self)
        let sync = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
        XCTAssertEqual(try Holdfast.run(sync, input: Data(), in: gate.folder).status, 0)
        XCTAssertEqual(try teller.status().number("queued"), 3)
        let again = try gate.scan([try gate.ticket("T-1")]).objects().first
        XCTAssertEqual(again?["reason"], "already_used", "the gate remembers")
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.numbers(), [4, 5, 6])
        XCTAssertEqual(try gate.export().count, 2)
    }
}
