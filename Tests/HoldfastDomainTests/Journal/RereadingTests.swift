import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Entries that another process seals anew, and whose old key it removes, while this one holds a copy of them.
final class RereadingTests: XCTestCase {
    private let rig = JournalRig()

    /// What another process does: everything under a new key, and the old one gone.
    @Sendable private static func resealEverything(in rig: JournalRig) async throws {
        let ring = rig.ring()
        _ = try await ring.rotate()
        var resealer = Resealer(stream: rig.stream, journal: rig.store, ring: ring, sealer: rig.sealer(ring))
        while case .resealed = try await resealer.step(limit: 10) {}
        let retired = try await ring.retire(in: rig.store)
        XCTAssertFalse(retired.isEmpty)
    }

    /// A courier whose keys another process changes at the first look into the vault.
    private func courier(_ delivery: any BatchDelivery) -> Courier {
        let (rig, first) = (rig, Once())
        let vault = HookedVault(vault: rig.keys) { call in
            if call == .names, await first.isFirst() { try await Self.resealEverything(in: rig) }
        }
        return Courier(
            stream: rig.stream,
            store: rig.store,
            sealer: rig.sealer(KeyRing(stream: rig.stream, vault: vault, random: rig.random)),
            delivery: delivery,
            clock: rig.clock,
            random: rig.random,
            diagnostics: rig.diagnostics
        )
    }

    func testLeasedEntriesAreDeliveredAllTheSame() async throws {
        let ids = try await rig.append(["1", "2", "3"])
        let delivery = ScriptedDelivery()
        let (report, end) = await courier(delivery).drain()
        XCTAssertEqual(end, .idle)
        XCTAssertEqual(report.delivered, 3)
        XCTAssertEqual(delivery.batches, [ids])
        XCTAssertEqual(delivery.payloads, [["1", "2", "3"]])
        let names = try await rig.keys.names()
        XCTAssertEqual(names, ["telemetry.key.2"])
        XCTAssertEqual(rig.diagnostics.events, [])
    }

    func testWhatIsGoneForGoodIsStillSetAside() async throws {
        try await rig.append(["1"])
        try await rig.keys.remove(named: "telemetry.key.1")
        let (report, end) = await rig.courier(ScriptedDelivery()).drain()
        XCTAssertEqual(end, .idle)
        XCTAssertEqual(report.deadLettered, [.undecryptable: 1])
    }

    func testWhatCannotBeReadAgainNowIsNotGoneForGood() async throws {
        try await rig.append(["1"])
        try await rig.keys.remove(named: "telemetry.key.1")
        let courier = Courier(
            stream: rig.stream,
            store: UnreadableJournal(base: rig.store),
            sealer: rig.sealer(),
            delivery: ScriptedDelivery(),
            clock: rig.clock,
            random: rig.random,
            diagnostics: rig.diagnostics
        )
        let (report, end) = await courier.drain()
        XCTAssertEqual(end, .waiting(for: CourierPolicy().entryWait, .deferred))
        XCTAssertEqual(report.retried, 1)
        XCTAssertEqual(report.deadLettered, [:])
    }

    func testANoteIsSealedUnderTheKeyThatTheEntryHasByThen() async throws {
        try await rig.append(["1"])
        let rig = rig
        let rejecting = ScriptedDelivery(afterwards: { batch in
            // While the request is under way.
            do { try await Self.resealEverything(in: rig) } catch { XCTFail("\(error)") }
            let rejected = DeliveryOutcome.deadLettered(.rejected, note: Array("no".utf8))
            return DeliveryResult(.proceed, outcomes: [batch[0].id: rejected])
        })
        _ = await rig.courier(rejecting).drain()
        let entries = try await rig.entries()
        XCTAssertEqual(entries.map(\.draft.keyID), [KeyID(2)])
        let note = try await rig.sealer().openNote(of: entries[0])
        XCTAssertEqual(note, Array("no".utf8))
    }

    func testTwoResealersLeaveNothingBehind() async throws {
        try await rig.append(["1", "2", "3"])
        let (rig, first) = (rig, Once())
        _ = try await rig.ring().rotate()
        let vault = HookedVault(vault: rig.keys) { call in
            if call == .read("telemetry.key.1"), await first.isFirst() { try await Self.resealEverything(in: rig) }
        }
        let ring = KeyRing(stream: rig.stream, vault: vault, random: rig.random)
        var resealer = Resealer(stream: rig.stream, journal: rig.store, ring: ring, sealer: rig.sealer(ring))
        var steps = 0
        while case .resealed = try await resealer.step(limit: 10), steps < 9 { steps += 1 }
        let end = try await resealer.step(limit: 10)
        XCTAssertEqual(end, .done(unopened: 0))
        let counts = try await rig.store.statistics(rig.stream).entriesByKey
        XCTAssertEqual(counts, [KeyID(3): 3])
    }
}

/// A journal from which no entry can be read, but by a lease.
private struct UnreadableJournal: JournalWrapper {
    let base: any Journal

    func entries(_ stream: StreamName, after sequence: Int64, limit: Int) throws -> [Entry] {
        throw QueueStoreError(.inputOutput)
    }
}

/// True once.
private actor Once {
    private var isOver = false

    func isFirst() -> Bool {
        defer { isOver = true }
        return !isOver
    }
}
