import XCTest

/// What a server sees of telemetry: order, sizes, and the same ids again after a kill.
final class TelemetryWireTests: XCTestCase {
    func testKeepsTheOrderOfLines() throws {
        let teller = try Teller(for: self)
        let ids = try teller.log(teller.lines(1...1500))
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertTrue(try collector.acceptedIDs() == ids)
    }

    func testTakesTheLinesOfSeveralProcessesAtOnce() throws {
        let teller = try Teller(for: self)
        let words = ["telemetry", "log", "--data", teller.data, "--lines", "--json"]
        let programs = try (0..<4).map { _ in
            try Holdfast.start(words, input: teller.lines(1...200), in: teller.folder)
        }
        for program in programs { XCTAssertEqual(program.wait(), 0, program.errors) }
        XCTAssertEqual(try Set(programs.flatMap { try $0.lines.map { try Row($0)["id"] } }).count, 800)
        XCTAssertEqual(try teller.status().number("queued"), 800)
    }

    func testSendsNoBodyAboveTheLimit() throws {
        let teller = try Teller(for: self)
        let texts = ["😀", "\\\"\\\\", "\\u0001", "é"].map { String(repeating: $0, count: 9000) }
        let lines = (0..<80).map { "{\"type\":\"t\",\"payload\":{\"x\":\"\(texts[$0 % 4])\"}}\n" }
        let ids = try teller.log(lines.joined())
        XCTAssertEqual(ids.count, 80)
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertTrue(try collector.acceptedIDs() == ids)
        XCTAssertEqual(try collector.violations(), [])
        let sizes = try collector.requests().compactMap { $0.number("bytes") }
        XCTAssertLessThanOrEqual(sizes.max() ?? .max, 262_144)
        XCTAssertGreaterThan(sizes.max() ?? 0, 200_000, "batches are filled")
        let wire = try collector.requests().compactMap { $0.number("wireBytes") }
        XCTAssertLessThan(wire.reduce(0, +), sizes.reduce(0, +) / 4, "they are compressed")
    }

    func testCutsABatchThatIsTooLargeForTheServer() throws {
        let teller = try Teller(for: self)
        let ids = try teller.log(teller.lines(1...40))
        let collector = try Collector(script: "[{\"status\":413,\"times\":2}]", in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector, "--until-empty").status, 0)
        XCTAssertTrue(try collector.acceptedIDs() == ids)
        XCTAssertEqual(try collector.requests().prefix(3).map { $0.strings("ids")?.count }, [40, 20, 10])
    }

    func testSendsAgainWhatWasUnderWayWhenItWasKilled() throws {
        let teller = try Teller(for: self)
        let ids = try teller.log(teller.lines(1...30))
        let script = "[{\"delay\":3000,\"drop\":\"after\"}]"
        let collector = try Collector(script: script, in: teller.folder, for: self)
        let words = ["telemetry", "deliver", "--data", teller.data, "--to", collector.eventsURL]
        let program = try Holdfast.start(words, in: teller.folder)
        usleep(600_000)
        program.send(SIGKILL)
        XCTAssertEqual(program.wait(), -SIGKILL)
        XCTAssertEqual(try teller.status().number("queued"), 30)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertTrue(try collector.acceptedIDs() == ids)
    }
}
