#if os(Linux)
import Foundation
import Holdfast
import HoldfastInMemory
import XCTest

/// A gate on a disk whose vault disappears while it runs.
final class GateVaultTests: XCTestCase {
    func testAVaultThatIsTakenAwayAdmitsNobodyUntilItIsBackAndNoKeyIsMade() async throws {
        let bench = try DiskBench()
        let store = try bench.openStore()
        let gate = try await bench.gate(store)
        let first = await gate.admit(try bench.ticket("T-1"))
        XCTAssertTrue(first.isAccepted)
        let (vault, away) = (bench.folder.appendingPathComponent("vault"), bench.folder.appendingPathComponent("away"))
        let names = try FileManager.default.contentsOfDirectory(atPath: vault.path).sorted()
        try FileManager.default.moveItem(at: vault, to: away)

        bench.clock.advance(by: .seconds(30))
        do {
            try await gate.refreshConfiguration()
            XCTFail("the vault was not missed")
        } catch { XCTAssertEqual((error as? KeyVaultError)?.code, .unavailable) }
        for _ in 0..<3 {
            let denied = await gate.admit(try bench.ticket("T-2"))
            XCTAssertEqual(denied.reasons, [.cannotRecord])
            XCTAssertEqual(denied.failure?.code.rawValue, "vault_unavailable")
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: vault.path))

        try FileManager.default.moveItem(at: away, to: vault)
        let used = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(used.reasons, [.alreadyUsed])
        let admitted = await gate.admit(try bench.ticket("T-2"))
        XCTAssertTrue(admitted.isAccepted)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: vault.path).sorted(), names)
        let records = try await gate.records()
        XCTAssertEqual(records.count, 6, "those that waited are recorded too")
        XCTAssertFalse(records.contains { $0.record == nil })
        await store.close()
    }

    func testAVaultThatAnotherProcessMadeAnewIsNotThisGates() async throws {
        let bench = try DiskBench()
        let store = try bench.openStore()
        let gate = try await bench.gate(store)
        try FileManager.default.removeItem(at: bench.folder.appendingPathComponent("vault"))
        let other = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), ports: try bench.ports(store))
        XCTAssertTrue(other.hasLostSecret)
        bench.clock.advance(by: .seconds(30))
        _ = try? await gate.refreshConfiguration()
        for gate in [gate, other] {
            let decision = await gate.admit(try bench.ticket("T-1"))
            XCTAssertEqual(decision.reasons, [.cannotRecord])
        }
        await store.close()
    }
}
#endif
