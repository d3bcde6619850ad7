import HoldfastDomain
import XCTest

@testable import HoldfastLinux

/// Messages laid out by hand, as rtnetlink(7) and netlink(7) describe them.
final class NetlinkMessageTests: XCTestCase {
    private func parse(_ bytes: [UInt8]) -> [NetlinkMessage] { bytes.withUnsafeBytes { NetlinkMessage.parse($0) } }

    func testAnInterface() {
        let wlan = Netlink.message(16, Netlink.link(3, flags: 0x11043) + Netlink.attribute(3, Array("wlan0\0".utf8)))
        XCTAssertEqual(parse(wlan), [.link(index: 3, flags: 0x11043, name: "wlan0")])
    }

    func testAddresses() {
        let global = Netlink.message(20, Netlink.address(3, scope: 0, flags: 0x80))
        let local = Netlink.message(20, Netlink.address(3, scope: 253, flags: 0x40))
        XCTAssertEqual(
            parse(global + local),
            [.address(index: 3, scope: 0, flags: 0x80), .address(index: 3, scope: 253, flags: 0x40)]
        )
    }

    func testRoutes() {
        let through3 = Netlink.attribute(4, Netlink.word(3))
        XCTAssertEqual(
            parse(Netlink.message(24, Netlink.route(prefix: 0) + through3)),
            [.defaultRoute(interfaces: [3])]
        )
        XCTAssertEqual(parse(Netlink.message(24, Netlink.route(prefix: 24) + through3)), [.other])
        let unreachable = Netlink.message(24, Netlink.route(prefix: 0, type: 7) + through3)
        XCTAssertEqual(parse(unreachable), [.other])
        let hops = Netlink.attribute(9, Netlink.hop(through: 4) + Netlink.hop(through: 5))
        XCTAssertEqual(
            parse(Netlink.message(24, Netlink.route(prefix: 0) + hops)),
            [.defaultRoute(interfaces: [4, 5])]
        )
    }

    func testTheEndAndAnError() {
        XCTAssertEqual(parse(Netlink.message(3, Netlink.word(0))), [.done])
        let refused = Netlink.message(2, Netlink.word(UInt32(bitPattern: -1)) + Netlink.message(18, []))
        XCTAssertEqual(parse(refused), [.error(-1)])
    }

    func testNothingTraps() {
        let whole =
            Netlink.message(16, Netlink.link(3, flags: 1) + Netlink.attribute(3, Array("eth0\0".utf8)))
            + Netlink.message(24, Netlink.route(prefix: 0) + Netlink.attribute(9, Netlink.hop(through: 4)))
        for count in 0..<whole.count { _ = parse(Array(whole.prefix(count))) }
        for index in whole.indices {
            for value in [0, 1, 3, 0x7f, 0xff] as [UInt8] {
                var changed = whole
                changed[index] = value
                _ = parse(changed)
            }
        }
    }
}

/// Builds messages in the byte order of the machine, little-endian on all that run Swift on Linux.
enum Netlink {
    static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
        padded(word(UInt32(16 + body.count)) + half(type) + half(2) + word(1) + word(0) + body)
    }

    static func link(_ index: UInt32, flags: UInt32) -> [UInt8] {
        [0, 0] + half(1) + word(index) + word(flags) + word(0)
    }

    static func address(_ index: UInt32, scope: UInt8, flags: UInt8) -> [UInt8] { [2, 24, flags, scope] + word(index) }

    static func route(prefix: UInt8, type: UInt8 = 1) -> [UInt8] { [2, prefix, 0, 0, 254, 3, 0, type] + word(0) }

    static func hop(through index: UInt32) -> [UInt8] {
        half(16) + [0, 0] + word(index) + attribute(5, [192, 0, 2, 1])
    }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        padded(half(UInt16(4 + value.count)) + half(type) + value)
    }

    static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

    private static func half(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
}
