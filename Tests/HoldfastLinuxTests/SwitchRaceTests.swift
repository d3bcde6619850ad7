import XCTest

@testable import HoldfastLinux

/// A listener that is cancelled at the moment of a change.
final class SwitchRaceTests: XCTestCase {
    func testACancelledListenerNeverStopsAChange() async {
        let status = Switch(0)
        let isOver = expectation(description: "neither waits for the other for ever")
        Task.detached {
            for round in 1...20_000 {
                let listener = Task.detached { for await _ in status.changes() {} }
                await Task.yield()
                async let change: Void = status.set(round)
                listener.cancel()
                await change
                await listener.value
            }
            isOver.fulfill()
        }
        await fulfillment(of: [isOver], timeout: 600)
    }
}
