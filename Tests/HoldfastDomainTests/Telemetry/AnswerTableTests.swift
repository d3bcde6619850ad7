import HoldfastDomain
import XCTest

final class AnswerTableTests: XCTestCase {
    private let wait = Interval.seconds(60)

    func testEveryStatusHasItsVerdict() {
        let table = AnswerTable()
        let retry = AnswerVerdict.retry(after: wait)
        let expected: [Int: AnswerVerdict] = [
            200: .delivered, 202: .delivered, 204: .delivered, 299: .delivered,
            301: .hold(.redirected(status: 301)), 302: .hold(.redirected(status: 302)),
            307: .hold(.redirected(status: 307)),
            400: .reject, 401: .unauthorised, 403: .unauthorised, 404: .reject, 408: .reject, 409: .reject,
            413: .split, 422: .reject, 425: .reject,
            429: retry, 500: retry, 501: retry, 502: retry, 503: retry, 504: retry, 599: retry,
        ]
        for (status, verdict) in expected {
            XCTAssertEqual(table.verdict(status: status, count: 2, retryAfter: wait), verdict, "\(status)")
        }
    }

    func testOneEventAloneCannotBeSplit() {
        XCTAssertEqual(AnswerTable().verdict(status: 413, count: 1), .reject)
        XCTAssertEqual(AnswerTable(bisectsRejectedBatches: true).verdict(status: 400, count: 1), .reject)
        XCTAssertEqual(AnswerTable(bisectsRejectedBatches: true).verdict(status: 400, count: 2), .split)
    }

    func testAHostMayRetryMoreStatusesButNotThoseWithAMeaningOfTheirOwn() {
        let table = AnswerTable(retriedStatuses: [408, 425, 401, 403, 413, 200, 301])
        for status in [408, 425] {
            XCTAssertEqual(table.verdict(status: status, count: 2, retryAfter: wait), .retry(after: wait))
        }
        for status in [200, 301, 401, 403, 404, 413] {
            XCTAssertEqual(table.verdict(status: status, count: 2), AnswerTable().verdict(status: status, count: 2))
        }
    }

    func testAStatusThatIsNoneIsNoAnswer() {
        for status in [Int.min, -200, 0, 100, 101, 199, 600, 999, Int.max] {
            XCTAssertEqual(AnswerTable().verdict(status: status, count: 2, retryAfter: wait), .retry(after: nil))
        }
    }

    func testNoAnswerIsRetriedUnlessTheRequestCannotBeSent() {
        let codes: [TransportError.Code] = [
            .offline, .nameNotResolved, .connectionFailed, .tlsFailed, .timedOut, .cancelled, .invalidResponse,
            TransportError.Code("another"),
        ]
        for code in codes {
            XCTAssertEqual(AnswerTable().verdict(error: TransportError(code)), .retry(after: nil), code.rawValue)
        }
        XCTAssertEqual(AnswerTable().verdict(error: TransportError(.invalidRequest)), .hold(.invalidRequest))
    }
}
