import HoldfastDomain
import XCTest

@testable import Holdfast

/// A listener that is cancelled at the moment of a new status.
final class StatusFeedTests: XCTestCase {
    func testAStatusThatIsTheSameIsNotToldAgain() async {
        let feed = StatusFeed()
        var updates = feed.updates().makeAsyncIterator()
        var status = TelemetryStatus()
        for queued in 1...2 {
            status.queued = queued
            feed.publish(status)
            let told = await updates.next()
            XCTAssertEqual(told, status)
            feed.publish(status)
        }
        feed.finish()
        let last = await updates.next()
        XCTAssertNil(last)
    }

    func testACancelledListenerNeverStopsAStatus() async {
        let feed = StatusFeed()
        let isOver = expectation(description: "neither waits for the other for ever")
        Task.detached {
            for round in 0..<20_000 {
                let listener = Task.detached { for await _ in feed.updates() {} }
                await Task.yield()
                async let news: Void = {
                    var status = TelemetryStatus()
                    status.queued = round
                    feed.publish(status)
                }()
                listener.cancel()
                await news
                await listener.value
            }
            isOver.fulfill()
        }
        await fulfillment(of: [isOver], timeout: 600)
    }
}
