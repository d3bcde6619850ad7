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

    func testABodyIsFullToTheByteAndNotAByteMore() throws {
        let teller = try Teller(for: self)
        let collector = try Collector(in: teller.folder, for: self)
        func line(_ count: Int) -> String {
            #"{"type":"t","payload":{"v":"\#(String(repeating: "x", count: count))"},"sessionId":"s"}"#
        }
        _ = try teller.log(line(0))
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        let room = 262_144 - (try XCTUnwrap(try collector.requests().first?.number("bytes")))
        _ = try teller.log([room - 1, room].map(line).joined(separator: "\n"))
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.requests().dropFirst().map { $0.number("bytes") }, [262_143, 262_144])
        let refused = try teller.run("log", "--lines", input: line(room + 1))
        XCTAssertEqual(refused.status, 1)
        XCTAssertTrue(refused.errors.contains("line 1"), refused.errors)
        XCTAssertEqual(try teller.status().row("lost")?.number("oversize"), 1)
    }

    func testIntegersArriveWithTheirDigits() throws {
        let teller = try Teller(for: self)
        let digits = ["9007199254740993", "-9223372036854775808", "9223372036854775807", "18446744073709551615"]
        _ = try teller.log(digits.map { #"{"type":"t","payload":{"v":\#($0)}}"# }.joined(separator: "\n"))
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        for digits in digits { XCTAssertTrue(try collector.acceptedText().contains(#"{"v":\#(digits)}"#), digits) }
    }

    func testSendsNothingTwiceWhenTwoDoItAtOnce() throws {
        let teller = try Teller(for: self)
        let ids = try teller.log(teller.lines(1...1200))
        let collector = try Collector(script: #"[{"delay":300,"times":9}]"#, in: teller.folder, for: self)
        let words = ["telemetry", "deliver", "--data", teller.data, "--to", collector.eventsURL]
        let programs = try (0..<2).map { _ in try Holdfast.start(words, in: teller.folder) }
        // Who finds the other at work leaves it to it.
        XCTAssertTrue(programs.map { $0.wait() }.contains(0))
        XCTAssertEqual(try collector.requests().flatMap { $0.strings("ids") ?? [] }, ids)
        XCTAssertEqual(Set(try collector.requests().compactMap { $0.number("inFlight") }), [1])
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
        let script = "[{\"hang\":3600}]"
        let collector = try Collector(script: script, in: teller.folder, for: self)
        let words = ["telemetry", "deliver", "--data", teller.data, "--to", collector.eventsURL]
        let program = try Holdfast.start(words, in: teller.folder)
        try collector.waitForRequests(1)
        program.send(SIGKILL)
        XCTAssertEqual(program.wait(), -SIGKILL)
        XCTAssertEqual(try teller.status().number("queued"), 30)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertTrue(try collector.acceptedIDs() == ids)
    }
}
