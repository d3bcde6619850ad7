import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Retiring and destroying keys.
final class KeyRetirementTests: XCTestCase {
    private let vault = InMemoryKeyVault()
    private let random = SeededRandom(seed: 8)

    private func ring(_ vault: (any KeyVault)? = nil) -> KeyRing {
        KeyRing(stream: .gate, vault: vault ?? self.vault, random: random)
    }

    private func names() async throws -> [String] { try await vault.names().sorted() }

    func testOnlyKeysThatNoRowNeedsAreRetiredAndNeverTheCurrentOne() async throws {
        let ring = ring()
        for _ in 0..<4 { _ = try await ring.rotate() }
        let retired = try await ring.retire(keeping: [KeyID(2)])
        XCTAssertEqual(retired, [KeyID(1), KeyID(3)])
        let left = try await names()
        XCTAssertEqual(left, ["gate.key.2", "gate.key.4"])
        let gone = try await ring.key(KeyID(1))
        XCTAssertNil(gone)
        let next = try await ring.rotate()
        XCTAssertEqual(next, KeyID(5))
    }

    func testNothingIsRetiredFromAnEmptyRing() async throws {
        let retired = try await ring().retire(keeping: [])
        XCTAssertEqual(retired, [])
    }

    func testAKeyThatHasJustSealedIsGivenOneCallsGrace() async throws {
        let ring = ring()
        _ = try await ring.current()
        _ = try await ring.rotate()
        let first = try await ring.retire(keeping: [])
        XCTAssertEqual(first, [])
        let second = try await ring.retire(keeping: [])
        XCTAssertEqual(second, [KeyID(1)])
    }

    func testAKeyInUseHereThatAnotherProcessRetiredIsStoredAgain() async throws {
        let (here, there) = (ring(), ring())
        let key = try await here.current()
        _ = try await there.rotate()
        let retired = try await there.retire(keeping: [])
        XCTAssertEqual(retired, [key.id])
        try await here.refresh()
        let stored = try await vault.secret(named: "gate.key.1")
        XCTAssertEqual(stored, key.key.bytes)
        let current = try await here.current()
        XCTAssertEqual(current.id, KeyID(2))
    }

    func testAfterAnErasureNoKeyIsLeftAndNumbersGoOn() async throws {
        let ring = ring()
        _ = try await ring.current()
        _ = try await ring.rotate()
        try await ring.destroy()
        let left = try await names()
        XCTAssertEqual(left, ["gate.erased.2"])
        let old = try await ring.key(KeyID(2))
        XCTAssertNil(old)
        let next = try await self.ring().current()
        XCTAssertEqual(next.id, KeyID(3))
        try await self.ring().destroy()
        let later = try await names()
        XCTAssertEqual(later, ["gate.erased.3"])
        let last = try await self.ring().current()
        XCTAssertEqual(last.id, KeyID(4))
    }

    func testErasingNothingLeavesNothing() async throws {
        try await ring().destroy()
        let left = try await names()
        XCTAssertEqual(left, [])
    }

    func testAnErasureThatWasInterruptedIsFinishedLater() async throws {
        let hooked = HookedVault(vault: vault) { call in
            if case .remove = call { throw KeyVaultError(.unavailable) }
        }
        _ = try await ring().current()
        do {
            try await ring(hooked).destroy()
            XCTFail("nothing was thrown")
        } catch {}
        let left = try await names()
        XCTAssertEqual(left, ["gate.erased.1", "gate.key.1"])
        let old = try await ring().key(KeyID(1))
        XCTAssertNil(old, "marked as destroyed")
        let after = try await names()
        XCTAssertEqual(after, ["gate.erased.1"])
        let next = try await ring().current()
        XCTAssertEqual(next.id, KeyID(2))
    }

    func testAnErasureElsewhereIsFollowed() async throws {
        let (here, there) = (ring(), ring())
        _ = try await here.current()
        try await there.destroy()
        try await here.refresh()
        let known = try await here.key(KeyID(1))
        XCTAssertNil(known)
        let left = try await names()
        XCTAssertEqual(left, ["gate.erased.1"], "the dead key is not stored again")
        let next = try await here.current()
        XCTAssertEqual(next.id, KeyID(2))
    }

    func testAKeyOnItsWayDuringAnErasureDoesNotComeBack() async throws {
        _ = try await ring().current()
        let gateway = Gateway()
        let before = ring(HookedVault(vault: vault) { call in if call == .read("gate.key.1") { await gateway.pass() } })
        async let early = before.current()
        await gateway.arrival()
        try await before.destroy()
        await gateway.open()
        let second = try await early
        XCTAssertEqual(second.id, KeyID(2))

        let afterwards = Gateway()
        let after = ring(
            HookedVault(vault: vault, before: { _ in }) { name in if name == "gate.key.2" { await afterwards.pass() } }
        )
        async let late = after.current()
        async let known = after.key(KeyID(2))
        await afterwards.arrival()
        try await after.destroy()
        await afterwards.open()
        let third = try await late
        XCTAssertEqual(third.id, KeyID(3))
        let dead = try await known
        XCTAssertNil(dead)
        let still = try await after.key(KeyID(2))
        XCTAssertNil(still)
    }
}
