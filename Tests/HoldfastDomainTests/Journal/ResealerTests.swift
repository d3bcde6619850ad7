import HoldfastDomain
import HoldfastInMemory
import XCTest

final class ResealerTests: XCTestCase {
    private let rig = JournalRig()

    private func resealer() -> Resealer {
        let ring = rig.ring()
        return Resealer(stream: rig.stream, journal: rig.store, ring: ring, sealer: rig.sealer(ring))
    }

    func testEntriesMoveToTheCurrentKeyABoundedNumberAStep() async throws {
        let ids = try await rig.append(["1", "2", "3"])
        _ = try await rig.ring().rotate()
        try await rig.append(["4", "5"])
        _ = try await rig.ring().rotate()
        let last = try await rig.append(["6"])
        var steps: [Resealer.Step] = []
        // A new resealer each time: what is left to do is in the journal alone.
        while steps.last != .done(unopened: 0), steps.count < 10 {
            var resealer = resealer()
            steps.append(try await resealer.step(limit: 2))
        }
        XCTAssertEqual(steps, [.resealed(2), .resealed(1), .resealed(2), .done(unopened: 0)])
        let counts = try await rig.store.statistics(rig.stream).entriesByKey
        XCTAssertEqual(counts, [KeyID(3): 6])
        let retired = try await rig.ring().retire(in: rig.store)
        XCTAssertEqual(retired, [KeyID(1), KeyID(2)])
        let delivery = ScriptedDelivery()
        _ = await rig.courier(delivery).drain()
        XCTAssertEqual(delivery.payloads, [["1", "2", "3", "4", "5", "6"]])
        XCTAssertEqual(delivery.batches[0].first, ids[0])
        XCTAssertEqual(delivery.batches[0].last, last[0])
    }

    func testNotesMoveAlong() async throws {
        try await rig.append(["1"])
        let rejecting = ScriptedDelivery(afterwards: { batch in
            let rejected = DeliveryOutcome.deadLettered(.rejected, note: Array("no".utf8))
            return DeliveryResult(.proceed, outcomes: [batch[0].id: rejected])
        })
        _ = await rig.courier(rejecting).drain()
        let new = try await rig.ring().rotate()
        var resealer = resealer()
        _ = try await resealer.step(limit: 10)
        let entries = try await rig.entries()
        XCTAssertEqual(entries[0].draft.keyID, new)
        let sealer = rig.sealer()
        let note = try await sealer.openNote(of: entries[0])
        let payload = try await sealer.open(entries[0])
        XCTAssertEqual(note, Array("no".utf8))
        XCTAssertEqual(payload, Array("1".utf8))
    }

    func testRowsThatDoNotOpenAreSteppedOver() async throws {
        let ids = try await rig.append(["1", "2", "3", "4", "5"])
        for id in ids.prefix(3) { try await rig.damage(id) }
        _ = try await rig.ring().rotate()
        var resealer = resealer()
        var steps: [Resealer.Step] = []
        while steps.last != .done(unopened: 3), steps.count < 10 { steps.append(try await resealer.step(limit: 2)) }
        XCTAssertEqual(steps, [.resealed(0), .resealed(1), .resealed(1), .done(unopened: 3)])
        let counts = try await rig.store.statistics(rig.stream).entriesByKey
        XCTAssertEqual(counts, [KeyID(1): 3, KeyID(2): 2])
    }

    func testADamagedOldKeyIsSteppedOverAndALockedVaultIsNot() async throws {
        try await rig.append(["1"])
        _ = try await rig.ring().rotate()
        var resealer = resealer()
        rig.keys.lock()
        do {
            _ = try await resealer.step(limit: 5)
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual((error as? KeyVaultError)?.code, .unavailable) }
        rig.keys.unlock()
        rig.keys.damage("telemetry.key.1")
        let step = try await resealer.step(limit: 5)
        XCTAssertEqual(step, .resealed(0))
        let end = try await resealer.step(limit: 5)
        XCTAssertEqual(end, .done(unopened: 1))
    }
}
