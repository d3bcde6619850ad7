import XCTest

/// The telemetry commands as a person or a script uses them.
final class TelemetryCommandTests: XCTestCase {
    func testLogsDeliversAndReports() throws {
        let teller = try Teller(for: self)
        let first = try teller.run(
            "log",
            "--type",
            "screen.view",
            "--payload",
            #"{"n":1}"#,
            "--session",
            "s-1",
            "--json"
        )
        XCTAssertEqual(first.status, 0, first.errors)
        let others = try teller.log(teller.lines(2...50))
        XCTAssertEqual(try teller.status().number("queued"), 50)
        let collector = try Collector(in: teller.folder, for: self)
        let outcome = try teller.deliver(to: collector)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try outcome.objects().first?.number("delivered"), 50)
        XCTAssertEqual(try collector.acceptedIDs(), try first.objects().compactMap { $0["id"] } + others)
        XCTAssertEqual(try collector.numbers(), Array(1...50))
        XCTAssertEqual(try collector.accepted().first?.row("item")?["sessionId"], "s-1")
        XCTAssertEqual(try collector.violations(), [])
        let status = try teller.status()
        XCTAssertEqual(
            status.names,
            ["queued", "liveBytes", "diskBytes", "deadLettered", "lost", "nextAttempt", "why", "keyId"]
        )
        XCTAssertEqual(status.number("queued"), 0)
        XCTAssertEqual(status.number("liveBytes"), 0)
        XCTAssertEqual(status.number("keyId"), 1)
        XCTAssertNil(status["why"])
    }

    func testABadLineIsToldWithItsNumberAndTheOthersAreTaken() throws {
        let teller = try Teller(for: self)
        let lines = [
            #"{"type":"a","payload":{"n":1}}"#, "secret-nonsense", #"{"payload":{}}"#, #"{"type":"a","payload":[]}"#,
            #"{"type":"","payload":{}}"#, #"{"type":"a","payload":{"n":1,"n":2}}"#,
            #"{"type":"a","payload":{"v":1e999}}"#,
            #"{"type":"a","payload":"# + String(repeating: #"{"v":"#, count: 40) + "1"
                + String(repeating: "}", count: 41),
            #"{"type":"a","payload":"# + String(repeating: #"{"v":"#, count: 600) + "1"
                + String(repeating: "}", count: 601),
            #"{"type":"a","payload":{"v":"\ud800"}}"#, #"{"type":"a","payload":{"v":NaN}}"#,
            #"{"type":"a","payload":{"v":18446744073709551616}}"#, #"{"type":"a","sessionId":7}"#,
            #"{"type":"a","payload":{"n":2},"sessionId":"s-2"}"#, #"{"type":"a"}"#,
        ]
        let outcome = try teller.run("log", "--lines", "--json", input: lines.joined(separator: "\n"))
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(try outcome.objects().compactMap { $0.number("line") }, [1, 14, 15])
        let complaints = outcome.errors.split(separator: "\n").map(String.init)
        XCTAssertEqual(complaints.count, 12)
        for (complaint, number) in zip(complaints, 2...13) {
            XCTAssertTrue(complaint.hasPrefix("holdfast: line \(number): "), complaint)
        }
        XCTAssertFalse(outcome.errors.contains("secret"), "what a line held is not told")
    }

    func testAnEventThatIsTooLargeIsRefusedAndCounted() throws {
        let teller = try Teller(for: self)
        let huge = #"{"type":"a","payload":{"v":"\#(String(repeating: "\u{1F680}", count: 66_000))"}}"#
        let outcome = try teller.run("log", "--lines", input: huge + "\n" + teller.lines(1...1))
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.output, "1 taken\n")
        XCTAssertEqual(try teller.status().row("lost")?.number("oversize"), 1)
    }

    func testKeepsOnThroughEveryFailureUntilNothingIsLeft() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...1500, padding: 2000))
        // A success after each failure keeps the waits short.
        let script = """
            [{"status":500},{},{"status":503,"retryAfter":"1"},{},
             {"status":429,"retryAfter":"Fri, 31 Dec 1999 23:59:59 GMT"},{},{"status":503,"retryAfter":"inf"},{},
             {"status":503,"retryAfter":"-5"},{},{"drop":"before"},{},{"drop":"after"},{},{"nonsense":"html"},{},
             {"nonsense":"not-http"},{},{"status":413}]
            """
        let collector = try Collector(script: script, in: teller.folder, for: self)
        let outcome = try teller.deliver(to: collector, "--until-empty", "--timeout", "300")
        XCTAssertEqual(outcome.status, 0, outcome.output + outcome.errors)
        XCTAssertEqual(try collector.numbers().sorted(), Array(1...1500))
        XCTAssertEqual(try collector.violations(), [])
        XCTAssertEqual(Set(try collector.requests().compactMap { $0.number("inFlight") }), [1])
        XCTAssertEqual(try teller.status().number("queued"), 0)
    }

    func testAHoldEndsTheDeliveryAndSaysWhy() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        let redirecting = try Collector(
            script: #"{"rules":[{"redirect":"http://127.0.0.1:1/"}]}"#,
            in: teller.folder,
            for: self
        )
        let redirected = try teller.deliver(to: redirecting, "--until-empty")
        XCTAssertEqual(redirected.status, 1)
        XCTAssertEqual(try redirected.objects().first?["why"], "redirected")
        XCTAssertEqual(try redirecting.requests().count, 1)
        let token = try teller.folder.file("token", "old\n")
        let collector = try Collector(token: "new", in: teller.folder, for: self)
        let refused = try teller.deliver(to: collector, "--until-empty", "--token-file", token)
        XCTAssertEqual(refused.status, 1)
        XCTAssertEqual(try refused.objects().first?["why"], "unauthorised")
        XCTAssertEqual(try collector.requests().count, 1, "the same token is not sent twice")
        let once = try teller.deliver(to: collector, "--token-file", token)
        XCTAssertEqual(try once.objects().first?["why"], "unauthorised", "without --until-empty too")
        let without = try teller.deliver(to: collector, "--token-file", "missing")
        XCTAssertEqual(try without.objects().first?["why"], "token_unavailable")
        XCTAssertEqual(without.errors, "holdfast: missing cannot be read: No such file or directory\n")
        _ = try teller.folder.file("token", "new\n")
        XCTAssertEqual(try teller.deliver(to: collector, "--token-file", token).status, 0)
        XCTAssertEqual(try collector.numbers(), [1, 2, 3])
    }

    func testADeliveryThatIsHeldSaysWhyAlsoWhenItDoesNotKeepOn() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...1))
        let collector = try Collector(in: teller.folder, for: self)
        let absent = try teller.deliver(to: collector, "--token-file", teller.folder.path("none"))
        XCTAssertEqual(absent.status, 1)
        XCTAssertEqual(try absent.objects().first?["why"], "token_unavailable")
        let nowhere = try teller.run("deliver", "--to", "http://")
        XCTAssertEqual(nowhere.output, "0 delivered; 1 left in the queue; the URL cannot be used\n")
        XCTAssertEqual(nowhere.status, 1)
    }

    func testADeliveryThatFailsNamesTheCause() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...1))
        let script = #"[{"status":502},{"status":429,"retryAfter":"1"}]"#
        let collector = try Collector(script: script, in: teller.folder, for: self)
        let failed = try XCTUnwrap(try teller.deliver(to: collector).objects().first)
        XCTAssertEqual(failed["why"], "backoff")
        XCTAssertEqual(failed["cause"], "http_502")
        let alone = try teller.run("deliver", "--to", "http://127.0.0.1:1/")
        XCTAssertTrue(alone.output.contains("; the connection to the server was refused or lost (7)"), alone.output)
        let kept = try teller.run("deliver", "--to", collector.eventsURL, "--until-empty")
        XCTAssertEqual(kept.status, 0, kept.output)
        XCTAssertTrue(
            kept.errors.contains(
                "waiting: the server ordered a wait (the server answered 429: it is asked too often)\n"
            ),
            kept.errors
        )
        XCTAssertEqual(try teller.deliver(to: collector).objects().first.map { $0["cause"] }, .some(nil))
    }

    func testAnOrderedWaitIsKeptByTheNextCommandToo() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        let script = #"[{"status":429,"retryAfter":"600"}]"#
        let collector = try Collector(script: script, in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector).status, 1)
        let early = try teller.deliver(to: collector)
        XCTAssertEqual(early.status, 1)
        XCTAssertEqual(try early.objects().first?["why"], "server_wait")
        XCTAssertEqual(try collector.requests().count, 1)
        XCTAssertEqual(try teller.status()["why"], "server_wait")
        XCTAssertNotNil(try teller.status()["nextAttempt"])
    }

    func testKeepsOnAfterAnOrderedWait() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        let collector = try Collector(script: #"[{"status":429,"retryAfter":"2"}]"#, in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector, "--until-empty").status, 0)
        let times = try collector.requests().compactMap { $0.number("arrivedMs") }
        XCTAssertGreaterThanOrEqual(times[1] - times[0], 2000)
    }

    func testAServerThatNeverAnswersEndsWithTheTimeAndLosesNothing() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        let collector = try Collector(script: #"[{"hang":3600}]"#, in: teller.folder, for: self)
        let outcome = try teller.deliver(to: collector, "--until-empty", "--timeout", "1")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(try teller.status().number("queued"), 3)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.numbers(), [1, 2, 3])
    }

    func testRotatingAndErasing() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        XCTAssertEqual(try teller.run("rotate-key", "--json").objects().first?.number("keyId"), 2)
        _ = try teller.log(teller.lines(4...6))
        XCTAssertEqual(try teller.run("rotate-key", "--reseal").status, 0)
        let keys = try teller.files().map(\.name).filter { $0.hasPrefix("vault/telemetry.key") }
        XCTAssertEqual(keys, ["vault/telemetry.key.3"])
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.numbers(), [1, 2, 3, 4, 5, 6])
        _ = try teller.log(teller.lines(7...9))
        XCTAssertEqual(try teller.run("erase", "--json").objects().first?.number("erased"), 3)
        let status = try teller.status()
        XCTAssertEqual(status.number("queued"), 0)
        XCTAssertEqual(status.row("lost")?.number("consent"), 3)
        XCTAssertFalse(try teller.files().contains { $0.name.hasPrefix("vault/telemetry.key") })
    }

    func testWhatCannotBeUnderstoodIsUsageAndWhatIsNotThereIsAFailure() throws {
        let teller = try Teller(for: self)
        for words in [
            ["log"], ["log", "--type", "t", "--lines"], ["log", "--lines", "--payload", "{}"],
            ["log", "--type", "t", "--payload", "[1]"], ["deliver"], ["deliver", "--to", "ftp://x"],
            ["deliver", "--to", "http://127.0.0.1:1/", "--timeout", "soon"],
        ] {
            let outcome = try Holdfast.run(
                ["telemetry", words[0], "--data", teller.data] + words.dropFirst(),
                input: Data(),
                in: teller.folder
            )
            XCTAssertEqual(outcome.status, 2, "\(words)")
        }
        for command in ["status", "rotate-key", "erase"] {
            let outcome = try teller.run(command)
            XCTAssertEqual(outcome.status, 1)
            XCTAssertTrue(outcome.errors.contains("no telemetry data"), outcome.errors)
        }
    }
}
