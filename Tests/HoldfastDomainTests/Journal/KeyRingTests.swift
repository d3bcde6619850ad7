import HoldfastDomain
import HoldfastInMemory
import XCTest

final class KeyRingTests: XCTestCase {
    private let vault = InMemoryKeyVault()
    private let random = SeededRandom(seed: 7)

    private func ring(_ vault: (any KeyVault)? = nil, stream: StreamName = .gate) -> KeyRing {
        KeyRing(stream: stream, vault: vault ?? self.vault, random: random)
    }

    private func names() async throws -> [String] { try await vault.names().sorted() }

    func testTheFirstKeyIsMadeOnceAndFoundAgain() async throws {
        let first = try await ring().current()
        XCTAssertEqual(first.id, KeyID(1))
        let again = try await ring().current()
        XCTAssertEqual(again, first)
        let found = try await names()
        XCTAssertEqual(found, ["gate.key.1"])
    }

    func testStreamsHaveKeysOfTheirOwn() async throws {
        let gate = try await ring().current()
        let telemetry = try await ring(stream: .telemetry).current()
        XCTAssertNotEqual(gate.key, telemetry.key)
    }

    func testAVaultThatCannotAnswerMakesNoKeyAndIsAskedAgain() async throws {
        let ring = ring()
        vault.lock()
        await assertThrows(.unavailable) { try await ring.current() }
        await assertThrows(.unavailable) { try await ring.key(KeyID(1)) }
        await assertThrows(.unavailable) { try await ring.rotate() }
        await assertThrows(.unavailable) { try await ring.retire(in: InMemoryQueueStore()) }
        await assertThrows(.unavailable) { try await ring.refresh() }
        await assertThrows(.unavailable) { try await ring.destroy(in: InMemoryQueueStore()) }
        vault.unlock()
        let names = try await names()
        XCTAssertEqual(names, [])
        let key = try await ring.current()
        XCTAssertEqual(key.id, KeyID(1))
    }

    func testWhatWasReadKeepsSealingWhileTheVaultIsLocked() async throws {
        let ring = ring()
        let key = try await ring.current()
        vault.lock()
        let again = try await ring.current()
        XCTAssertEqual(again, key)
        let known = try await ring.key(key.id)
        XCTAssertEqual(known, key.key)
    }

    func testSomethingThatIsNoKeyIsNeverReplaced() async throws {
        for length in [0, 16, 31, 33] {
            let vault = InMemoryKeyVault()
            vault.plant([UInt8](repeating: 1, count: length), named: "gate.key.1")
            await assertThrows(.damaged) { try await self.ring(vault).current() }
            await assertThrows(.damaged) { try await self.ring(vault).key(KeyID(1)) }
            let names = try await vault.names()
            XCTAssertEqual(names, ["gate.key.1"])
        }
    }

    func testNamesThatOthersChoseAreNotKeys() async throws {
        for name in ["gate.key.01", "gate.key.+3", "gate.key.0", "gate.key.x", "gate.key.4294967296", "gate.key."] {
            vault.plant([UInt8](repeating: 1, count: 32), named: name)
        }
        let key = try await ring().current()
        XCTAssertEqual(key.id, KeyID(1))
    }

    func testAfterTheLastNumberThereIsNoOther() async throws {
        vault.plant([UInt8](repeating: 1, count: 32), named: "gate.key.4294967295")
        let key = try await ring().current()
        XCTAssertEqual(key.id, KeyID(.max))
        await assertThrows(.invalidName) { try await self.ring().rotate() }
    }

    func testRotationMakesTheNextKeyAndKeepsTheOld() async throws {
        let ring = ring()
        let old = try await ring.current()
        let new = try await ring.rotate()
        XCTAssertEqual(new, KeyID(2))
        let current = try await ring.current()
        XCTAssertEqual(current.id, KeyID(2))
        let known = try await ring.key(old.id)
        XCTAssertEqual(known, old.key)
    }

    func testAKeyThatDoesNotReadBackIsNotUsed() async throws {
        let inner = vault
        let hooked = HookedVault(vault: vault) { call in
            if call == .read("gate.key.2") { inner.plant([UInt8](repeating: 9, count: 32), named: "gate.key.2") }
        }
        let ring = ring(hooked)
        let old = try await ring.current()
        await assertThrows(.damaged) { try await ring.rotate() }
        let current = try await ring.current()
        XCTAssertEqual(current, old)
    }

    func testAKeyThatCannotBeReadBackIsNotUsedUntilItCan() async throws {
        let inner = vault
        let hooked = HookedVault(vault: vault) { call in if call == .read("gate.key.2") { inner.lock() } }
        let ring = ring(hooked)
        let old = try await ring.current()
        await assertThrows(.unavailable) { try await ring.rotate() }
        let current = try await ring.current()
        XCTAssertEqual(current, old)
        vault.unlock()
        let later = try await self.ring().current()
        XCTAssertEqual(later.id, KeyID(2), "a restart finds it, whole")
    }

    func testTwoProcessesThatRotateAtOnceAgree() async throws {
        let (one, two) = (ring(), ring())
        let first = try await one.current()
        let second = try await two.current()
        XCTAssertEqual(first, second)
        async let a = one.rotate()
        async let b = two.rotate()
        let (idA, idB) = try await (a, b)
        for (ring, id) in [(one, idA), (two, idB)] {
            let current = try await ring.current()
            XCTAssertEqual(current.id, id)
            let stored = try await vault.secret(named: "gate.key.\(id.rawValue)")
            XCTAssertEqual(stored, current.key.bytes)
        }
    }

    func testTheSlowerOfTwoFirstKeysIsDropped() async throws {
        let other = [UInt8](repeating: 3, count: 32)
        let inner = vault
        let hooked = HookedVault(vault: vault) { call in
            if call == .insert("gate.key.1") { _ = try await inner.insert(other, named: "gate.key.1") }
        }
        let key = try await ring(hooked).current()
        XCTAssertEqual(key.key.bytes, other)
    }

    func testAKeyThatAnotherProcessMadeIsFound() async throws {
        let (one, two) = (ring(), ring())
        _ = try await one.current()
        _ = try await two.current()
        let new = try await two.rotate()
        let current = try await two.current()
        let found = try await one.key(new)
        XCTAssertEqual(found, current.key)
        let missing = try await one.key(KeyID(99))
        XCTAssertNil(missing)
        let before = try await one.current()
        XCTAssertEqual(before.id, KeyID(1))
        try await one.refresh()
        let after = try await one.current()
        XCTAssertEqual(after, current)
    }

    func assertThrows(
        _ code: KeyVaultError.Code,
        line: UInt = #line,
        _ body: () async throws -> some Sendable
    ) async {
        do {
            _ = try await body()
            XCTFail("nothing was thrown", line: line)
        } catch {
            XCTAssertEqual((error as? KeyVaultError)?.code, code, line: line)
        }
    }
}
