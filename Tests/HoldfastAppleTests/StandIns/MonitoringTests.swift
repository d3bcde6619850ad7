#if canImport(AppleDevice)
@_spi(StandIn) import AppleFoundation
import AppleDevice
import Foundation
import HoldfastApple
import HoldfastConformance
import HoldfastDomain
@_spi(StandIn) import Network
import XCTest

final class MonitoringTests: XCTestCase {
    override func setUp() {
        StandInNetwork.current.send(NWPath(.satisfied))
        StandInPower.current.isLowPower = false
        StandInPower.current.setThermalState(.nominal)
    }

    func testConnectivityKeepsItsPromises() async {
        let broken = await Conformance.connectivity.run {
            StandInNetwork.current.send(NWPath(.satisfied))
            return .init(PathConnectivity()) {
                let isReachable = StandInNetwork.current.path.status == .satisfied
                StandInNetwork.current.send(NWPath(isReachable ? .unsatisfied : .satisfied))
            }
        }
        XCTAssertEqual(broken, [])
    }

    func testPowerKeepsItsPromises() async {
        let broken = await Conformance.powerMonitor.run {
            .init(ProcessInfoPower()) { StandInPower.current.isLowPower.toggle() }
        }
        XCTAssertEqual(broken, [])
    }

    func testConnectivityFollowsThePath() async {
        let connectivity = PathConnectivity()
        var changes = connectivity.changes().makeAsyncIterator()
        StandInNetwork.current.send(NWPath(.unsatisfied))
        var status = await changes.next()
        XCTAssertEqual(status, ConnectivityStatus(isReachable: false))
        XCTAssertEqual(connectivity.current(), ConnectivityStatus(isReachable: false))
        StandInNetwork.current.send(NWPath(.satisfied, isExpensive: true, isConstrained: true))
        status = await changes.next()
        XCTAssertEqual(status, ConnectivityStatus(isReachable: true, isExpensive: true, isConstrained: true))
    }

    func testConnectivityLearnsAnUnusablePathThatWasThereBefore() async {
        StandInNetwork.current.send(NWPath(.unsatisfied))
        let connectivity = PathConnectivity()
        var changes = connectivity.changes().makeAsyncIterator()
        // The first path comes soon after the start: before or after the listener did.
        let status = connectivity.current().isReachable ? await changes.next() : connectivity.current()
        XCTAssertEqual(status?.isReachable, false)
    }

    func testAFlappingPathTellsTheNewestAndNothingTwice() async {
        let connectivity = PathConnectivity()
        let changes = connectivity.changes()
        for _ in 0..<200 {
            StandInNetwork.current.send(NWPath(.unsatisfied))
            StandInNetwork.current.send(NWPath(.satisfied))
        }
        StandInNetwork.current.send(NWPath(.satisfied, isExpensive: true))
        var told: [ConnectivityStatus] = []
        for await status in changes {
            told.append(status)
            if status.isExpensive { break }
        }
        for (earlier, later) in zip(told, told.dropFirst()) { XCTAssertNotEqual(earlier, later) }
        XCTAssertEqual(told.last, ConnectivityStatus(isReachable: true, isExpensive: true))
    }

    func testTheMonitorEndsWithItsOwner() {
        let before = StandInNetwork.current.monitorCount
        var connectivity: PathConnectivity? = PathConnectivity()
        XCTAssertEqual(StandInNetwork.current.monitorCount, before + 1)
        XCTAssertNotNil(connectivity?.current())
        connectivity = nil
        XCTAssertEqual(StandInNetwork.current.monitorCount, before)
    }

    func testPowerFollowsLowPowerModeAndHeat() async {
        let power = ProcessInfoPower()
        XCTAssertEqual(power.current(), PowerStatus())
        var changes = power.changes().makeAsyncIterator()
        StandInPower.current.isLowPower = true
        var status = await changes.next()
        XCTAssertEqual(status, PowerStatus(isLowPower: true))
        StandInPower.current.setThermalState(.fair)
        StandInPower.current.setThermalState(.serious)
        status = await changes.next()
        XCTAssertEqual(status, PowerStatus(isLowPower: true, isUnderThermalPressure: true))
    }
}
#endif
