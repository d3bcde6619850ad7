import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class HTTPExchangeTests: XCTestCase {
    private func code(_ exchange: HTTPExchange, urlError: Int?) -> TransportError.Code? {
        do {
            _ = try exchange.finish(urlError: urlError)
            return nil
        } catch { return (error as? TransportError)?.code }
    }

    func testAnAnswerIsItsHeadAndItsPieces() throws {
        var exchange = HTTPExchange(bodyLimit: 10)
        exchange.receive(head: TransportResponse(status: 503))
        XCTAssertTrue(exchange.receive([1, 2]))
        XCTAssertTrue(exchange.receive([3]))
        XCTAssertEqual(try exchange.finish(urlError: nil), TransportResponse(status: 503, body: [1, 2, 3]))
    }

    func testABodyIsCutAtTheLimitAndStaysAnAnswer() throws {
        var exchange = HTTPExchange(bodyLimit: 3)
        exchange.receive(head: TransportResponse(status: 200))
        XCTAssertTrue(exchange.receive([1, 2, 3]), "exactly the limit is not too much")
        XCTAssertFalse(exchange.receive([4]))
        XCTAssertFalse(exchange.receive([5]))
        XCTAssertEqual(try exchange.finish(urlError: -999).body, [1, 2, 3])
    }

    func testAConnectionLostInTheBodyIsNoAnswer() {
        var exchange = HTTPExchange(bodyLimit: 10)
        exchange.receive(head: TransportResponse(status: 200))
        _ = exchange.receive([1])
        XCTAssertEqual(code(exchange, urlError: -1005), .connectionFailed)
    }

    func testTimeUpIsTimedOutThoughItEndsAsCancelled() {
        var exchange = HTTPExchange(bodyLimit: 10)
        exchange.receive(head: TransportResponse(status: 200))
        exchange.runOut()
        XCTAssertEqual(code(exchange, urlError: -999), .timedOut)
    }

    func testWithoutAnHTTPHeadThereIsNoAnswer() {
        var exchange = HTTPExchange(bodyLimit: 10)
        XCTAssertEqual(code(exchange, urlError: nil), .invalidResponse)
        exchange.receive(head: nil)
        XCTAssertEqual(code(exchange, urlError: nil), .invalidResponse)
    }

    func testEachErrorNumberHasItsMeaningAndIsKept() {
        let meanings: [(Int, TransportError.Code)] = [
            (-999, .cancelled), (-1001, .timedOut), (-1003, .nameNotResolved), (-1004, .connectionFailed),
            (-1005, .connectionFailed), (-1009, .offline), (-1020, .offline), (-1000, .invalidRequest),
            (-1022, .tlsFailed), (-1200, .tlsFailed), (-1202, .tlsFailed), (-1206, .tlsFailed),
            (-1011, .invalidResponse), (-1, .connectionFailed), (0, .connectionFailed), (.min, .connectionFailed),
        ]
        for (number, code) in meanings {
            let error = TransportError(urlError: number)
            XCTAssertEqual(error.code, code, "\(number)")
            XCTAssertEqual(error.platformCode, number)
        }
    }
}
