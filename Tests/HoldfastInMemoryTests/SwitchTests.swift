import HoldfastDomain
import HoldfastInMemory
import XCTest

final class SwitchTests: XCTestCase {
    func testEveryStreamSeesEveryChangeOnce() async {
        let network = SwitchableConnectivity()
        var first = network.changes().makeAsyncIterator()
        var second = network.changes().makeAsyncIterator()
        network.set(reachable: true)
        network.set(reachable: false)
        network.set(reachable: false)
        network.set(reachable: true)
        for _ in 0..<2 {
            let seen = await (first.next(), second.next())
            XCTAssertEqual(seen.0, seen.1)
        }
        XCTAssertTrue(network.current().isReachable)
    }

    func testPowerChangesAreTold() async {
        let power = SwitchablePower()
        var changes = power.changes().makeAsyncIterator()
        power.set(PowerStatus(isLowPower: true))
        let change = await changes.next()
        XCTAssertEqual(change, PowerStatus(isLowPower: true))
        XCTAssertEqual(power.current(), PowerStatus(isLowPower: true))
    }
}
