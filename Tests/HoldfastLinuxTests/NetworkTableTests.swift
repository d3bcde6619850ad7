import HoldfastDomain
import XCTest

@testable import HoldfastLinux

final class NetworkTableTests: XCTestCase {
    private let up: UInt32 = 0x1 | 0x40
    private let loopback = NetlinkMessage.link(index: 1, flags: 0x1 | 0x40 | 0x8, name: "lo")

    private func reachable(_ messages: NetlinkMessage...) -> [Bool] {
        var table = NetworkTable()
        messages.forEach { table.take($0) }
        return [.thisDevice, .localNetwork, .internet].map { table.status(for: $0).isReachable }
    }

    func testEachReachAsksForMore() {
        let link = NetlinkMessage.link(index: 2, flags: up, name: "eth0")
        let address = NetlinkMessage.address(index: 2, scope: 0, flags: 0)
        XCTAssertEqual(reachable(), [false, false, false])
        XCTAssertEqual(reachable(loopback, .address(index: 1, scope: 254, flags: 0)), [true, false, false])
        XCTAssertEqual(reachable(loopback, link), [true, false, false])
        XCTAssertEqual(reachable(loopback, link, address), [true, true, false])
        XCTAssertEqual(reachable(link, address, .defaultRoute(interfaces: [2])), [true, true, true])
    }

    func testWhatDoesNotCount() {
        let address = NetlinkMessage.address(index: 2, scope: 0, flags: 0)
        let route = NetlinkMessage.defaultRoute(interfaces: [2])
        let link = NetlinkMessage.link(index: 2, flags: up, name: "eth0")
        XCTAssertEqual(
            reachable(.link(index: 2, flags: 0x1, name: "eth0"), address, route),
            [false, false, false],
            "no carrier"
        )
        XCTAssertEqual(
            reachable(.link(index: 2, flags: 0x40, name: "eth0"), address, route),
            [false, false, false],
            "down"
        )
        XCTAssertEqual(
            reachable(link, .address(index: 2, scope: 253, flags: 0), route),
            [true, false, false],
            "link-local"
        )
        XCTAssertEqual(
            reachable(link, .address(index: 2, scope: 0, flags: 0x08), route),
            [true, false, false],
            "another device's"
        )
        XCTAssertEqual(
            reachable(link, .address(index: 2, scope: 0, flags: 0x40), route),
            [true, false, false],
            "tentative"
        )
        XCTAssertEqual(
            reachable(link, .address(index: 3, scope: 0, flags: 0), route),
            [true, false, false],
            "another's"
        )
        XCTAssertEqual(
            reachable(link, address, .defaultRoute(interfaces: [7])),
            [true, true, false],
            "another's route"
        )
    }

    func testAModemIsExpensiveUnlessThereIsSomethingElse() {
        var table = NetworkTable()
        for (index, name) in [(2, "wwan0"), (3, "eth0")] as [(Int32, String)] {
            XCTAssertFalse(table.status(for: .internet).isExpensive && index == 2)
            table.take(.link(index: index, flags: up, name: name))
            table.take(.address(index: index, scope: 0, flags: 0))
            table.take(.defaultRoute(interfaces: [index]))
            XCTAssertEqual(table.status(for: .internet).isExpensive, index == 2)
        }
    }
}
