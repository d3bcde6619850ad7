import HoldfastDomain
import XCTest

@testable import Holdfast

/// A listener that is cancelled at the moment of a new status.
final class StatusFeedTests: XCTestCase {
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
