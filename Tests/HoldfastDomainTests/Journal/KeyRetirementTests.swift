import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Retiring and destroying keys.
final class KeyRetirementTests: XCTestCase {
    private let vault = InMemoryKeyVault()
    private let journal = InMemoryQueueStore()
    private let random = SeededRandom(seed: 8)

    private func ring(_ vault: (any KeyVault)? = nil) -> KeyRing {
        KeyRing(stream: .gate, vault: vault ?? self.vault, random: random)
    }

    private func names() async throws -> [String] { try await vault.names().sorted() }

    func testOnlyKeysThatNoRowNeedsAreRetiredAndNeverTheCurrentOne() async throws {
        let ring = ring()
        for _ in 0..<4 { _ = try await ring.rotate() }
        try await journal.append(1...3, under: 2)
        let retired = try await ring.retire(in: journal)
        XCTAssertEqual(retired, [KeyID(1), KeyID(3)])
        let left = try await names()
        XCTAssertEqual(left, ["gate.key.2", "gate.key.4"])
        let gone = try await ring.key(KeyID(1))
        XCTAssertNil(gone)
        let next = try await ring.rotate()
        XCTAssertEqual(next, KeyID(5))
    }

    func testNothingIsRetiredFromAnEmptyRing() async throws {
        let retired = try await ring().retire(in: journal)
        XCTAssertEqual(retired, [])
        _ = try await ring().current()
        let still = try await ring().retire(in: journal)
        XCTAssertEqual(still, [])
    }

    func testNothingIsRemovedBeforeTheJournalRefusesIt() async throws {
        let (journal, ring) = (journal, ring())
        for _ in 0..<2 { _ = try await ring.rotate() }
        let hooked = self.ring(
            HookedVault(vault: vault) { call in
                guard call == .remove("gate.key.1") else { return }
                let floor = try await journal.statistics(.gate).keyFloor
                XCTAssertEqual(floor, KeyID(2))
                // Killed here: a key too many.
                throw KeyVaultError(.unavailable)
            }
        )
        do {
            _ = try await hooked.retire(in: journal)
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual(error as? KeyVaultError, KeyVaultError(.unavailable)) }
        let finished = try await ring.retire(in: journal)
        XCTAssertEqual(finished, [KeyID(1)], "the next time")
    }

    func testAJournalThatCannotTellKeepsEveryKey() async throws {
        for _ in 0..<2 { _ = try await ring().rotate() }
        await journal.fail(with: QueueStoreError(.full))
        do {
            _ = try await ring().retire(in: journal)
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual(error as? QueueStoreError, QueueStoreError(.full)) }
        do {
            try await ring().destroy(in: journal)
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual(error as? QueueStoreError, QueueStoreError(.full)) }
        let left = try await names()
        XCTAssertEqual(left, ["gate.key.1", "gate.key.2"])
    }

    func testARowThatComesAtTheLastMomentKeepsItsKey() async throws {
        for _ in 0..<2 { _ = try await ring().rotate() }
        // Appended after the ring has counted, and before the journal refuses it.
        let late = LateJournal(base: journal) { [journal] in try await journal.append(1...1, under: 1) }
        let retired = try await ring().retire(in: late)
        XCTAssertEqual(retired, [])
        let left = try await names()
        XCTAssertEqual(left, ["gate.key.1", "gate.key.2"])
    }

    func testANewJournalBesideAnOldVaultLearnsTheFloor() async throws {
        for _ in 0..<2 { _ = try await ring().rotate() }
        _ = try await ring().retire(in: journal)
        let other = InMemoryQueueStore()
        _ = try await ring().retire(in: other)
        let floor = try await other.statistics(.gate).keyFloor
        XCTAssertEqual(floor, KeyID(2))
    }

    func testWhatARetiredKeyHasSealedIsSealedAgain() async throws {
        let (here, there) = (ring(), ring())
        let old = try await here.current()
        _ = try await there.rotate()
        let retired = try await there.retire(in: journal)
        XCTAssertEqual(retired, [old.id], "nothing is under it yet")
        let id = EntryID(high: 0, low: 1)
        let sealer = Sealer(stream: .gate, ring: here, cipher: ToyCipher())
        let appended = try await sealer.append(to: journal, durability: .processDeath) { key in
            let sealed = try sealer.seal([1, 2], id: id, with: key)
            return [
                Draft(
                    id: id,
                    stream: .gate,
                    recordedAt: Timestamp(milliseconds: 0),
                    keyID: key.id,
                    sealed: sealed
                )
            ]
        }
        XCTAssertEqual(appended.outcomes, [.appended(sequence: 1)])
        XCTAssertEqual(appended.key, KeyID(2))
        let entry = try await journal.entries(.gate, after: 0, limit: 1)
        let opened = try await Sealer(stream: .gate, ring: there, cipher: ToyCipher()).open(entry[0])
        XCTAssertEqual(opened, [1, 2])
    }

    func testAKeyIsMadeWhereTheVaultHasNoneThatMaySeal() async throws {
        _ = try await ring().current()
        let next = try await ring().current(from: KeyID(7))
        XCTAssertEqual(next.id, KeyID(7))
        let last = try await ring().current(from: KeyID(.max))
        XCTAssertEqual(last.id, KeyID(.max))
    }

    func testALostKeysNumberIsNotGivenToAnother() async throws {
        try await journal.append(1...3, under: 4)
        let counts = try await journal.statistics(.gate)
        XCTAssertEqual(counts.unusedKey, KeyID(5))
        let sealer = Sealer(stream: .gate, ring: ring(), cipher: ToyCipher())
        let appended = try await sealer.append(to: journal, durability: .processDeath) { key in
            [draft(9, under: key.id.rawValue)]
        }
        XCTAssertEqual(appended.key, KeyID(5))
        _ = try await ring().retire(in: journal)
        let late = try await journal.append([draft(10, under: 4)], durability: .processDeath)
        XCTAssertEqual(late, [.keyRetired(floor: KeyID(5))], "whoever still has it seals no more with it")
        var highest = StreamStatistics()
        highest.entriesByKey = [KeyID(.max): 1]
        XCTAssertEqual(highest.unusedKey, KeyID(.max))
    }

    func testAKeyInUseThatTheVaultHasLostIsStoredAgain() async throws {
        let here = ring()
        _ = try await here.rotate()
        let key = try await here.current()
        try await vault.remove(named: "gate.key.1")
        try await here.refresh()
        let stored = try await vault.secret(named: "gate.key.1")
        XCTAssertEqual(stored, key.key.bytes)
    }

    func testARetiredKeyIsNotStoredAgain() async throws {
        let (here, there) = (ring(), ring())
        _ = try await here.current()
        _ = try await there.rotate()
        _ = try await there.retire(in: journal)
        try await here.refresh()
        let left = try await names()
        XCTAssertEqual(left, ["gate.key.2"])
        let current = try await here.current()
        XCTAssertEqual(current.id, KeyID(2))
    }

    func testAnErasureElsewhereStopsTheOldKeyAtOnce() async throws {
        let (here, there) = (ring(), ring())
        let old = try await here.current()
        try await there.destroy(in: journal)
        let floor = try await journal.statistics(.gate).keyFloor
        XCTAssertEqual(floor, KeyID(2))
        let cached = try await here.current()
        XCTAssertEqual(cached, old, "not noticed yet")
        let next = try await here.current(from: floor)
        XCTAssertEqual(next.id, KeyID(2))
    }

    func testAfterAnErasureNoKeyIsLeftAndNumbersGoOn() async throws {
        let ring = ring()
        _ = try await ring.current()
        _ = try await ring.rotate()
        try await ring.destroy(in: journal)
        let left = try await names()
        XCTAssertEqual(left, ["gate.erased.2"])
        let old = try await ring.key(KeyID(2))
        XCTAssertNil(old)
        let next = try await self.ring().current()
        XCTAssertEqual(next.id, KeyID(3))
        try await self.ring().destroy(in: journal)
        let later = try await names()
        XCTAssertEqual(later, ["gate.erased.3"])
        let last = try await self.ring().current()
        XCTAssertEqual(last.id, KeyID(4))
    }

    func testErasingNothingLeavesNothing() async throws {
        try await ring().destroy(in: journal)
        let left = try await names()
        XCTAssertEqual(left, [])
    }

    func testAnErasureThatWasInterruptedIsFinishedLater() async throws {
        let hooked = HookedVault(vault: vault) { call in
            if case .remove = call { throw KeyVaultError(.unavailable) }
        }
        _ = try await ring().current()
        do {
            try await ring(hooked).destroy(in: journal)
            XCTFail("nothing was thrown")
        } catch {}
        let left = try await names()
        XCTAssertEqual(left, ["gate.erased.1", "gate.key.1"])
        let newest = try await ring().newestID()
        XCTAssertNil(newest, "marked as destroyed")
        let old = try await ring().key(KeyID(1))
        XCTAssertNil(old)
        let after = try await names()
        XCTAssertEqual(after, ["gate.erased.1"])
        let next = try await ring().current()
        XCTAssertEqual(next.id, KeyID(2))
    }

    func testAnErasureElsewhereIsFollowed() async throws {
        let (here, there) = (ring(), ring())
        _ = try await here.current()
        try await there.destroy(in: journal)
        try await here.refresh()
        let known = try await here.key(KeyID(1))
        XCTAssertNil(known)
        let left = try await names()
        XCTAssertEqual(left, ["gate.erased.1"], "the dead key is not stored again")
        let next = try await here.current()
        XCTAssertEqual(next.id, KeyID(2))
    }

    func testErasingWhatAnotherProcessHasErasedKeepsItsMark() async throws {
        let (here, there) = (ring(), ring())
        _ = try await here.current()
        try await there.destroy(in: journal)
        try await here.destroy(in: journal)
        let left = try await names()
        XCTAssertEqual(left, ["gate.erased.1"])
        let next = try await ring().current()
        XCTAssertEqual(next.id, KeyID(2), "a number is never used again")
    }

    func testAKeyOnItsWayDuringAnErasureDoesNotComeBack() async throws {
        _ = try await ring().current()
        let gateway = Gateway()
        let before = ring(HookedVault(vault: vault) { call in if call == .read("gate.key.1") { await gateway.pass() } })
        async let early = before.current()
        await gateway.arrival()
        try await before.destroy(in: journal)
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
        try await after.destroy(in: journal)
        await afterwards.open()
        let third = try await late
        XCTAssertEqual(third.id, KeyID(3))
        let dead = try await known
        XCTAssertNil(dead)
        let still = try await after.key(KeyID(2))
        XCTAssertNil(still)
    }
}

/// The entry of the gate's stream with this number, said to be under a key.
private func draft(_ number: UInt64, under key: UInt32) -> Draft {
    Draft(
        id: EntryID(high: 0, low: number),
        stream: .gate,
        recordedAt: Timestamp(milliseconds: 0),
        keyID: KeyID(key),
        sealed: [1]
    )
}

extension InMemoryQueueStore {
    /// Entries with these numbers.
    fileprivate func append(_ numbers: ClosedRange<UInt64>, under key: UInt32) throws {
        _ = try append(numbers.map { draft($0, under: key) }, durability: .processDeath)
    }
}

/// A journal to which somebody appends between counting and retiring.
private struct LateJournal: JournalWrapper {
    let base: any Journal
    let meanwhile: @Sendable () async throws -> Void

    func statistics(_ stream: StreamName) async throws -> StreamStatistics {
        let counts = try await base.statistics(stream)
        try await meanwhile()
        return counts
    }
}
