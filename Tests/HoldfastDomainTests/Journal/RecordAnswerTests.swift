import XCTest

@testable import HoldfastDomain

/// What a server's answer to a batch of records means.
final class RecordAnswerTests: XCTestCase {
    private let records = (1...3).map {
        GateRecord(
            scanID: EntryID(high: 0, low: $0),
            place: GatePlace(event: "E", zone: "Z"),
            at: ClockReading(wall: Timestamp(milliseconds: 0), uptime: .zero, boot: BootID("b"))
        )
    }

    private func answer(_ status: Int, _ body: String = "", _ headers: [HeaderField] = []) -> BatchAnswer {
        let response = TransportResponse(status: status, headers: headers, body: Array(body.utf8))
        return BatchAnswer(response, to: records, now: Timestamp(milliseconds: 0))
    }

    private func results(_ items: String) -> BatchAnswer { answer(200, "{\"results\":[\(items)]}") }

    func testTheStatusesInATable() {
        let rejected = [400, 409, 422]
        let failed = [408, 425, 429, 502, 503, 504, 511, 0, -1, 100, 199, 600, 999]
        let held = [402, 404, 405, 406, 407, 410, 411, 415, 421, 426, 428, 431, 451, 499]
        for status in [200, 201, 202, 204, 299] { XCTAssertEqual(answer(status), .handled(), "\(status)") }
        for status in [300, 301, 302, 307, 399] { XCTAssertEqual(answer(status), .held(.redirected), "\(status)") }
        for status in [401, 403] { XCTAssertEqual(answer(status), .unauthorised) }
        XCTAssertEqual(answer(413), .tooLarge)
        for status in rejected { XCTAssertEqual(answer(status, "no"), .rejected(reason: "\(status) no")) }
        for status in [500, 501, 505, 520, 599] { XCTAssertEqual(answer(status), .serverFault, "\(status)") }
        for status in failed { XCTAssertEqual(answer(status), .failed(retryAfter: nil), "\(status)") }
        for status in held { XCTAssertEqual(answer(status), .held(.refused), "\(status)") }
    }

    func testTheServersWaitIsRead() {
        XCTAssertEqual(answer(429, "", [HeaderField("retry-after", "60")]), .failed(retryAfter: .seconds(60)))
        XCTAssertEqual(answer(503, "", [HeaderField("Retry-After", "soon")]), .failed(retryAfter: nil))
        XCTAssertEqual(answer(500, "", [HeaderField("Retry-After", "60")]), .failed(retryAfter: .seconds(60)))
        let date = "Thu, 01 Jan 1970 00:01:00 GMT"
        XCTAssertEqual(answer(503, "", [HeaderField("Retry-After", date)]), .failed(retryAfter: .seconds(60)))
    }

    func testADateToWaitForIsCountedFromTheServersOwnTime() {
        let fields = [
            HeaderField("Date", "Tue, 01 Jan 2030 00:00:00 GMT"),
            HeaderField("Retry-After", "Tue, 01 Jan 2030 00:01:00 GMT"),
        ]
        XCTAssertEqual(answer(503, "", fields), .failed(retryAfter: .seconds(60)))
    }

    func testATwoHundredWithoutResultsAcceptsAll() {
        for body in ["", " \r\n", "{}", "{\"ok\":true}", "{\"results\":null}"] {
            XCTAssertEqual(answer(200, body), .handled(), body)
        }
    }

    func testAnAnswerThatIsNotAsAgreedAcceptsNothing() {
        for body in [
            "<html>sign in</html>", "{\"results\":[{\"scanId\":", "[]", "\"ok\"", "OK", "{\"results\":{}}",
            "{\"results\":true}", "{\"results\":[]} trailing", "{\"results\":[],\"results\":[]}", "\u{0}",
        ] {
            XCTAssertEqual(answer(200, body), .failed(retryAfter: nil), body)
        }
    }

    func testEachRecordIsAnsweredForItself() {
        let id = records.map(\.scanID.description)
        let given = results(
            """
            {"scanId":"\(id[0].uppercased())","outcome":"accepted"},
            {"scanId":"\(id[1])","outcome":"rejected","reason":"was cancelled"},
            {"scanId":"\(id[2])","outcome":"duplicate","more":1}
            """
        )
        let expected: [EntryID: RecordOutcome] = [
            records[0].scanID: .accepted, records[1].scanID: .rejected(reason: "was cancelled"),
            records[2].scanID: .duplicate,
        ]
        XCTAssertEqual(given, .handled(expected))
    }

    func testWhatIsNotAnsweredOrNotUnderstoodComesAgain() {
        let later = Dictionary(uniqueKeysWithValues: records.map { ($0.scanID, RecordOutcome.retryLater) })
        let id = records[0].scanID.description
        for items in [
            "", "1", "null", "{}", "{\"scanId\":\"\(id)\"}", "{\"scanId\":\"\(id)\",\"outcome\":\"perhaps\"}",
            "{\"scanId\":\"\(id)\",\"outcome\":1}", "{\"scanId\":\"\(id)\",\"outcome\":\"retry\"}",
            "{\"scanId\":\"nobody\",\"outcome\":\"accepted\"}", "{\"scanId\":7,\"outcome\":\"accepted\"}",
            "{\"scanId\":\"\(EntryID(high: 7, low: 7))\",\"outcome\":\"rejected\"}",
        ] {
            XCTAssertEqual(results(items), .handled(later), items)
        }
        var rejected = later
        rejected[records[0].scanID] = .rejected(reason: "")
        XCTAssertEqual(results("{\"scanId\":\"\(id)\",\"outcome\":\"rejected\",\"reason\":3}"), .handled(rejected))
    }

    func testWhoeverIsAnsweredTwiceAndDifferentlyComesAgain() {
        func told(_ outcomes: String...) -> RecordOutcome? {
            let id = records[0].scanID
            let items = outcomes.map { #"{"scanId":"\#(id)","outcome":"\#($0)","reason":"\#(outcomes.count)"}"# }
            guard case .handled(let named) = results(items.joined(separator: ",")) else { return nil }
            return named[id]
        }
        XCTAssertEqual(told("accepted", "rejected"), .retryLater)
        XCTAssertEqual(told("rejected", "accepted"), .retryLater)
        XCTAssertEqual(told("accepted", "rejected", "accepted"), .retryLater)
        XCTAssertEqual(told("retry", "accepted"), .retryLater)
        XCTAssertEqual(told("accepted", "perhaps"), .retryLater)
        XCTAssertEqual(told("accepted", "accepted"), .accepted)
        XCTAssertEqual(told("accepted", "duplicate"), .accepted, "it is there either way")
        XCTAssertEqual(told("duplicate", "accepted"), .duplicate)
        XCTAssertEqual(told("rejected", "rejected"), .rejected(reason: "2"))
    }

    func testAnyBytesGiveAnAnswer() {
        var seed: UInt64 = 1
        let alphabet = Array("{}[]\":,resultsscanId\\u0\u{ff}".utf8)
        for _ in 0..<2000 {
            let body = (0..<40).map { _ -> UInt8 in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1
                return alphabet[Int(seed >> 33) % alphabet.count]
            }
            let response = TransportResponse(status: 200, body: body)
            let answer = BatchAnswer(response, to: records, now: Timestamp(milliseconds: 0))
            if body.first != UInt8(ascii: "{") { XCTAssertEqual(answer, .failed(retryAfter: nil)) }
        }
    }
}
