import HoldfastDomain
import XCTest

final class AnswerTableTests: XCTestCase {
    private let wait = Interval.seconds(60)
    private let now = Timestamp(milliseconds: 1_777_636_800_000)  // 2026-05-01T12:00:00Z, a Friday

    func testEveryStatusHasItsVerdict() {
        let retry = AnswerVerdict.retry(after: wait)
        let hold = AnswerVerdict.hold(.redirected)
        let expected: [Int: AnswerVerdict] = [
            200: .delivered, 202: .delivered, 204: .delivered, 299: .delivered, 301: hold, 302: hold, 304: hold,
            307: hold,
            400: .reject, 401: .unauthorised, 403: .unauthorised, 404: .reject, 408: .reject, 409: .reject, 413: .split,
            422: .reject, 425: .reject, 429: retry, 500: retry, 501: retry, 502: retry, 503: retry, 504: retry,
            599: retry,
        ]
        for (status, verdict) in expected {
            XCTAssertEqual(AnswerTable().verdict(status: status, retryAfter: wait), verdict, "\(status)")
        }
    }

    func testAServerThatIsThereAndNamesNoWaitMayFailForTheContentsSake() {
        for status in [500, 501, 505, 507, 508, 520, 599] {
            XCTAssertEqual(AnswerTable().verdict(status: status), .serverFault, "\(status)")
            XCTAssertEqual(AnswerTable().verdict(status: status, retryAfter: .zero), .retry(after: .zero))
        }
        for status in [429, 502, 503, 504, 511] {
            XCTAssertEqual(AnswerTable().verdict(status: status), .retry(after: nil), "\(status)")
        }
        let page = TransportResponse(status: 500, headers: [], body: Array("<html>oops".utf8))
        XCTAssertEqual(AnswerTable().verdict(of: page, now: now), .serverFault)
    }

    func testAHostMayRetryMoreStatusesButNotThoseWithAMeaningOfTheirOwn() {
        let table = AnswerTable(retriedStatuses: [408, 425, 401, 403, 413, 200, 301])
        for status in [408, 425] {
            XCTAssertEqual(table.verdict(status: status, retryAfter: wait), .retry(after: wait))
        }
        for status in [200, 301, 401, 403, 404, 413] {
            XCTAssertEqual(table.verdict(status: status), AnswerTable().verdict(status: status))
        }
    }

    func testAStatusThatIsNoneIsNoAnswer() {
        for status in [Int.min, -200, 0, 100, 101, 199, 600, 999, Int.max] {
            XCTAssertEqual(AnswerTable().verdict(status: status, retryAfter: wait), .retry(after: nil))
        }
    }

    func testNoAnswerIsRetriedUnlessTheRequestCannotBeSentOrWasCalledOff() {
        let codes: [TransportError.Code] = [
            .offline, .nameNotResolved, .connectionFailed, .tlsFailed, .timedOut, .invalidResponse,
            TransportError.Code("another"),
        ]
        for code in codes {
            XCTAssertEqual(AnswerTable().verdict(of: TransportError(code)), .retry(after: nil), code.rawValue)
        }
        struct Surprise: Error {}
        XCTAssertEqual(AnswerTable().verdict(of: Surprise()), .retry(after: nil))
        XCTAssertEqual(AnswerTable().verdict(of: TransportError(.invalidRequest)), .hold(.invalidRequest))
        XCTAssertEqual(AnswerTable().verdict(of: TransportError(.cancelled)), .interrupted)
    }

    func testTheServersWaitIsReadFromItsHeaderWhateverItSays() {
        func wait(_ values: String...) -> AnswerVerdict {
            let headers = values.map { HeaderField("retry-AFTER", $0) }
            return AnswerTable().verdict(of: TransportResponse(status: 503, headers: headers), now: now)
        }
        XCTAssertEqual(wait("120"), .retry(after: .seconds(120)))
        XCTAssertEqual(wait("0"), .retry(after: .zero))
        XCTAssertEqual(wait("Fri, 01 May 2026 12:01:00 GMT"), .retry(after: .seconds(60)))
        XCTAssertEqual(wait("Friday, 01-May-26 12:01:00 GMT"), .retry(after: .seconds(60)))
        XCTAssertEqual(wait("Fri May  1 12:01:00 2026"), .retry(after: .seconds(60)))
        XCTAssertEqual(wait("Fri, 01 May 2026 11:00:00 GMT"), .retry(after: .zero))
        XCTAssertEqual(wait("Fri, 31 Dec 9999 23:59:59 GMT"), .retry(after: .hours(24)))
        XCTAssertEqual(wait("86400000"), .retry(after: .hours(24)))
        for nonsense in ["inf", "-5", "", "NaN", "1e3", "soon"] {
            XCTAssertEqual(wait(nonsense), .retry(after: nil), nonsense)
        }
        XCTAssertEqual(wait("60", "60"), .retry(after: .seconds(60)))
        XCTAssertEqual(wait("60", "90"), .retry(after: nil), "two that disagree say nothing")
        XCTAssertEqual(wait(), .retry(after: nil))
    }

    func testASignInPageInTheServersPlaceAcknowledgesNothing() {
        func verdict(_ status: Int, _ body: String, as type: String? = nil) -> AnswerVerdict {
            let headers = type.map { [HeaderField("content-TYPE", $0)] } ?? []
            let response = TransportResponse(status: status, headers: headers, body: Array(body.utf8))
            return AnswerTable().verdict(of: response, now: now)
        }
        let pages = [
            "<html>", "\r\n <!DOCTYPE HTML PUBLIC \"-//W3C\">", "<!doctype html>", "\u{feff}<HTML>", "<head>",
            "<meta http-equiv=\"refresh\">", "<script>location='/login'</script>",
        ]
        for page in pages {
            for status in [200, 202, 299] { XCTAssertEqual(verdict(status, page), .retry(after: nil), page) }
            XCTAssertEqual(verdict(404, page), .reject)
        }
        for answer in ["", "OK", "{}", "<ok/>", "<", "<?xml version=\"1.0\"?><ok/>"] {
            XCTAssertEqual(verdict(200, answer), .delivered, answer)
        }
        for type in ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml"] {
            XCTAssertEqual(verdict(200, "<!-- portal --><p>Sign in", as: type), .retry(after: nil), type)
            for answer in ["", "OK", "{\"accepted\":3}"] {
                XCTAssertEqual(verdict(200, answer, as: type), .delivered, "many servers call any text so")
            }
        }
    }

    func testADeviceWithAWrongClockWaitsAsLongAsTheServerMeant() {
        let headers = [
            HeaderField("Date", "Tue, 01 Jan 2030 00:00:00 GMT"),
            HeaderField("Retry-After", "Tue, 01 Jan 2030 00:01:00 GMT"),
        ]
        let response = TransportResponse(status: 429, headers: headers)
        XCTAssertEqual(AnswerTable().verdict(of: response, now: now), .retry(after: .seconds(60)))
    }
}
