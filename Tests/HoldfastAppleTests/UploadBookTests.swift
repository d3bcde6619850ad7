import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class UploadBookTests: XCTestCase {
    private var book = UploadBook<Int>(bodyLimit: 4)

    private func end(_ name: String, status: Int?, urlError: Int? = nil) -> (
        [Int], Result<TransportResponse, any Error>
    ) {
        let ended = book.end(name, head: status.map { TransportResponse(status: $0) }, urlError: urlError)
        return (ended.waiters, ended.result)
    }

    func testAllWhoSendTheSameWaitForOneUpload() throws {
        XCTAssertEqual(book.send("a", 1), .new)
        XCTAssertEqual(book.send("a", 2), .running)
        XCTAssertEqual(book.send("b", 3), .new)
        book.receive([7], for: "a")
        let (waiters, result) = end("a", status: 503)
        XCTAssertEqual(waiters, [1, 2])
        XCTAssertEqual(try result.get(), TransportResponse(status: 503, body: [7]))
        XCTAssertEqual(book.running, ["b"])
        XCTAssertEqual(book.send("a", 4), .new, "it was answered; this is another attempt")
    }

    func testAnUploadOfAnEarlierProcessIsJoined() {
        book.found("a")
        XCTAssertEqual(book.send("a", 1), .running)
        XCTAssertEqual(end("a", status: 200).0, [1])
    }

    func testAnAcknowledgementNobodyWaitsForIsKeptUntilAskedForOnce() {
        book.receive([1, 2, 3], for: "a")
        XCTAssertEqual(end("a", status: 202).0, [])
        XCTAssertEqual(book.send("a", 1), .answered(TransportResponse(status: 202, body: [1, 2, 3])))
        XCTAssertEqual(book.send("a", 1), .new)
    }

    func testWhatIsNoAcknowledgementIsNotKept() {
        for (status, urlError) in [(429, nil), (400, nil), (nil, -999), (200, -1005), (301, nil)] as [(Int?, Int?)] {
            _ = end("a", status: status, urlError: urlError)
            XCTAssertEqual(book.send("a", 1), .new)
            _ = end("a", status: 500)
        }
    }

    func testTheOldestAnswersAreForgotten() {
        for index in 0...UploadBook<Int>.capacity { _ = end("\(index)", status: 200) }
        XCTAssertEqual(book.send("0", 1), .new)
        XCTAssertEqual(book.send("1", 1), .answered(TransportResponse(status: 200)))
    }

    func testAnAnswerFromElsewhereIsNone() {
        XCTAssertEqual(book.send("a", 1), .new)
        XCTAssertThrowsError(try end("a", status: nil).1.get()) {
            XCTAssertEqual(($0 as? TransportError)?.code, .invalidResponse)
        }
    }
}
