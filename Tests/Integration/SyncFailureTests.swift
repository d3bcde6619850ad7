import HoldfastKit
import XCTest

/// A `gate sync` that fails says why in one sentence on standard error, and exits with 1.
final class SyncFailureTests: XCTestCase {
    private func sync(_ gate: Gate, to url: String, _ more: String...) throws -> Outcome {
        try Holdfast.run(["gate", "sync", "--data", gate.data, "--to", url] + more, input: Data(), in: gate.folder)
    }

    private func assertSays(
        _ sentence: String,
        _ outcome: Outcome,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertEqual(outcome.status, 1, file: file, line: line)
        XCTAssertTrue(outcome.errors.hasPrefix("holdfast: \(sentence)"), outcome.errors, file: file, line: line)
        XCTAssertEqual(outcome.errors.filter { $0 == "\n" }.count, 1, outcome.errors, file: file, line: line)
        XCTAssertEqual(outcome.output, "0 handed over; 1 left in the queue\n", file: file, line: line)
    }

    private func gateWithARecord() throws -> Gate {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        return gate
    }

    func testWithoutAnAnswer() throws {
        let gate = try gateWithARecord()
        assertSays("the server's name is not known (6)", try sync(gate, to: "http://nothing.invalid/"))
        assertSays("the connection to the server was refused or lost (7)", try sync(gate, to: "http://127.0.0.1:1/"))
        let plain = try Collector(in: gate.folder, for: self)
        assertSays("no secure connection could be made", try sync(gate, to: "https://127.0.0.1:\(plain.port)/"))
        assertSays("the URL cannot be used", try sync(gate, to: "http://host:port:port/"))
        XCTAssertEqual(try gate.export().map { $0["state"] }, ["queued"])
    }

    func testWithAnAnswerThatTakesNothing() throws {
        let cases = [
            ("{\"status\":500}", "the server answered 500: it failed"),
            ("{\"status\":503}", "the server answered 503: it is not ready"),
            (
                "{\"status\":429,\"retryAfter\":\"7\"}",
                "the server answered 429: it is asked too often; try again in 7 s"
            ),
            ("{\"status\":404}", "the server answered 404: it takes nothing there\n"),
            ("{\"status\":401}", "the server answered 401: it refused the token\n"),
            ("{\"redirect\":\"http://127.0.0.1:1/\"}", "the server answered 307: it redirects"),
            ("{\"nonsense\":\"html\"}", "something answered 200 that is not the agreed server"),
            ("{\"nonsense\":\"not-http\"}", "the server's answer is not HTTP"),
            ("{\"drop\":\"before\"}", "the connection to the server was refused or lost"),
        ]
        for (step, sentence) in cases {
            let gate = try gateWithARecord()
            let collector = try Collector(script: "[\(step)]", in: gate.folder, for: self)
            assertSays(sentence, try sync(gate, to: collector.recordsURL))
        }
    }

    func testWithoutAToken() throws {
        let gate = try gateWithARecord()
        let url = "http://127.0.0.1:1/"
        assertSays("missing cannot be read: No such file", try sync(gate, to: url, "--token-file", "missing"))
        let empty = try gate.folder.file("token", "\n")
        assertSays("\(empty) is empty", try sync(gate, to: url, "--token-file", empty))
    }

    func testNamesTheCauseInItsReport() throws {
        let gate = try gateWithARecord()
        let collector = try Collector(script: "[{\"status\":502}]", in: gate.folder, for: self)
        let failed = try XCTUnwrap(try sync(gate, to: collector.recordsURL, "--json").objects().first)
        XCTAssertEqual(failed["why"], "backoff")
        XCTAssertEqual(failed["cause"], "http_502")
        let offline = try XCTUnwrap(try sync(gate, to: "http://nothing.invalid/", "--json").objects().first)
        XCTAssertEqual(offline["cause"], "name_not_resolved")
        let done = try sync(gate, to: collector.recordsURL, "--json")
        XCTAssertEqual(done.errors, "")
        XCTAssertNil(try done.objects().first?["cause"])
    }

    func testTakesASchemeInAnyCase() throws {
        let gate = try gateWithARecord()
        let collector = try Collector(in: gate.folder, for: self)
        let url = collector.recordsURL.replacingOccurrences(of: "http:", with: "HtTP:")
        let outcome = try sync(gate, to: url)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try collector.acceptedIDs().count, 1)
    }
}
