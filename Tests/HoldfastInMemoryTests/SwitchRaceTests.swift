import HoldfastDomain
import HoldfastInMemory
import XCTest

/// A listener that is cancelled at the moment of a change.
final class SwitchRaceTests: XCTestCase {
    func testACancelledListenerNeverStopsAChange() async {
        let network = SwitchableConnectivity()
        let isOver = expectation(description: "neither waits for the other for ever")
        Task.detached {
            for round in 0..<20_000 {
                let listener = Task.detached { for await _ in network.changes() {} }
                await Task.yield()
                async let change: Void = network.set(reachable: round % 2 == 0)
                listener.cancel()
                await change
                await listener.value
            }
            isOver.fulfill()
        }
        await fulfillment(of: [isOver], timeout: 600)
    }
}
