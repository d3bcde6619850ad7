import XCTest

/// What telemetry that is killed at any moment has promised: what it said is durable arrives, once after dedup, and
/// nothing in its files can be read.
final class KilledTelemetryTests: XCTestCase {
    private let marks = ["kill.type.mark", "payload-mark", "session-mark", "token-mark"]

    func testKeepsWhatItSaidAndShowsNothingWhenKilledTwoHundredTimes() throws {
        let teller = try Teller(for: self)
        let token = try teller.folder.file("token", "token-mark\n")
        let failures = #"{"drop":"after"},{},{"delay":30},{},{"status":503},{}"#
        let script = "[\(Array(repeating: failures, count: 20).joined(separator: ","))]"
        let collector = try Collector(script: script, token: "token-mark", in: teller.folder, for: self)
        var promised: [String] = []
        var killed = 0
        // About as long as it takes to start and to take a few lines, however fast the machine is.
        var usual: UInt32 = 150_000
        for round in 0..<200 {
            let logging = try start(teller, "log", "--lines", "--json", "--session", "session-mark", input: nil)
            var others: [Program] = []
            if round % 3 == 0 {
                others.append(
                    try start(teller, "deliver", "--to", collector.eventsURL, "--token-file", token, "--until-empty")
                )
            }
            if round % 4 == 1 { others.append(try start(teller, "rotate-key")) }
            if round % 8 == 3 { others.append(try start(teller, "rotate-key", "--reseal")) }
            for part in 0..<4 { try logging.type(lines(round * 80 + part * 20)) }
            usleep(UInt32.random(in: 0...usual))
            for program in others + [logging] { program.send(SIGKILL) }
            for program in others + [logging] where program.wait() == -SIGKILL { killed += 1 }
            let ids = try logging.lines.map(Row.init).compactMap { $0["id"] }
            promised += ids
            if ids.isEmpty { usual += usual / 4 } else { usual -= usual / 16 }
            try checkNothingIsReadable(in: teller, round: round)
        }
        XCTAssertGreaterThan(killed, 200, "most of them are to be killed while they work")
        XCTAssertGreaterThan(promised.count, 500, "most of them are to have said something by then")

        let outcome = try teller.deliver(to: collector, "--token-file", token, "--until-empty", "--timeout", "200")
        XCTAssertEqual(outcome.status, 0, outcome.output + outcome.errors)
        let arrived = try collector.acceptedIDs()
        XCTAssertEqual(Set(promised).subtracting(arrived).count, 0, "a promised event did not arrive")
        XCTAssertEqual(Set(arrived).count, arrived.count)
        XCTAssertEqual(try collector.violations(), [])
        let status = try teller.status()
        XCTAssertEqual(status.row("lost")?.names, [])
        try checkNothingIsReadable(in: teller, round: 200)
    }

    /// Each process has keys of its own in memory; those that another has removed must not seal what is promised.
    func testKeepsWhatItSaysAfterAnotherProcessHasRemovedItsKey() throws {
        for words in [["rotate-key", "--reseal"], ["erase"]] {
            let teller = try Teller(for: self)
            let collector = try Collector(in: teller.folder, for: self)
            let logging = try start(teller, "log", "--lines", "--json", input: nil)
            try logging.type(lines(0))
            try logging.waitForLines(20)
            let outcome = try teller.run(words[0], words.count > 1 ? words[1] : "--json")
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            try logging.type(lines(20))
            try logging.waitForLines(40)
            logging.send(SIGKILL)
            XCTAssertEqual(logging.wait(), -SIGKILL)

            let delivery = try teller.deliver(to: collector, "--until-empty")
            XCTAssertEqual(delivery.status, 0, delivery.output + delivery.errors)
            let arrived = try collector.numbers()
            XCTAssertEqual(arrived, words == ["erase"] ? Array(20..<40) : Array(0..<40), words[0])
            let lost = try teller.status().row("lost")
            XCTAssertEqual(lost?.names, words == ["erase"] ? ["consent"] : [], words[0])
        }
    }

    private func start(_ teller: Teller, _ command: String, _ more: String..., input: String? = "") throws -> Program {
        try Holdfast.start(["telemetry", command, "--data", teller.data] + more, input: input, in: teller.folder)
    }

    private func lines(_ first: Int) -> String {
        (first..<first + 20).map { #"{"type":"kill.type.mark","payload":{"n":\#($0),"text":"payload-mark"}}"# + "\n" }
            .joined()
    }

    private func checkNothingIsReadable(in teller: Teller, round: Int) throws {
        for file in try teller.files() {
            for mark in marks where file.bytes.range(of: Data(mark.utf8)) != nil {
                XCTFail("\(mark) is readable in \(file.name) after round \(round)")
            }
        }
    }
}
