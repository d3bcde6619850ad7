import Foundation
import HoldfastConformance
import HoldfastDomain
import HoldfastLinux
import Patience
import XCTest

/// Against the kernel itself, in a network of the test's own.
final class NetlinkConnectivityTests: XCTestCase {
    func testKeepsThePromises() async throws {
        try await NetworkNamespace.skipUnlessAllowed()
        let broken = await Conformance.connectivity.run {
            let namespace = NetworkNamespace()
            try await namespace.begin()
            let connectivity = try await namespace.perform { NetlinkConnectivity(reach: .thisDevice) }
            return Conformance.StatusSubject(connectivity) {
                try await namespace.ip("link set lo \(connectivity.current().isReachable ? "down" : "up")")
            }
        }
        XCTAssertEqual(broken, [])
    }

    func testAnInterfaceComesAndGoes() async throws {
        try await NetworkNamespace.skipUnlessAllowed()
        let namespace = NetworkNamespace()
        try await namespace.begin()
        do {
            try await namespace.ip("link add one type veth peer name two")
        } catch {
            throw XCTSkip("this kernel has no veth")
        }
        let (local, wide) = try await namespace.perform {
            (NetlinkConnectivity(reach: .localNetwork), NetlinkConnectivity(reach: .internet))
        }
        XCTAssertFalse(local.current().isReachable)
        var locally = local.changes().makeAsyncIterator()
        var widely = wide.changes().makeAsyncIterator()
        try await namespace.ip("link set two up")
        try await namespace.ip("addr add 192.0.2.1/24 dev one")
        try await namespace.ip("link set one up")
        let hasAddress = await locally.next()
        XCTAssertEqual(hasAddress?.isReachable, true)
        try await namespace.ip("route add default via 192.0.2.254")
        let hasRoute = await widely.next()
        XCTAssertEqual(hasRoute?.isReachable, true)
        try await namespace.ip("link set two down")  // the carrier is gone, the address stays
        let (lost, away) = (await locally.next(), await widely.next())
        XCTAssertEqual([lost?.isReachable, away?.isReachable], [false, false])
    }

    func testTheThreadEndsWithTheObject() async throws {
        let before = try threadCount()
        for _ in 0..<50 { _ = NetlinkConnectivity().current() }
        // They end by themselves, soon after; others of the process come and go meanwhile.
        let patience = Patience("the threads of fifty objects have ended")
        while try threadCount() > before + 20 { try await patience.yield() }
    }

    private func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
}
