import Holdfast
import HoldfastInMemory
import XCTest

/// Installing where the configuration before cannot be opened: a person's word makes a new key where the old one is gone
/// or damaged, and never where it only cannot be read now.
final class ReinstallTests: XCTestCase {
    private let keyName = "configuration.key.1"

    private enum Fault: CaseIterable { case missing, damaged, swapped }

    private func spoil(_ bench: GateBench, _ fault: Fault) async throws {
        switch fault {
        case .missing: try await bench.vault.remove(named: keyName)
        case .damaged: bench.vault.damage(keyName)
        case .swapped: bench.vault.plant([UInt8](repeating: 7, count: 32), named: keyName)
        }
    }

    func testANewerOneOrTheSameAgainIsInForceAfterwards() async throws {
        for fault in Fault.allCases {
            for version in [1, 2] {
                let bench = GateBench()
                _ = await (try await bench.openGate()).admit(try bench.ticket("T-1"))
                try await spoil(bench, fault)
                let gate = try await bench.gate()
                let running = try await bench.gate("south")
                XCTAssertNil(gate.configuration)
                XCTAssertEqual(bench.diagnostics.count(of: .configurationUnreadable), 2, "each gate says so")
                let held = try await bench.vault.names()
                try await gate.install(configuration: bench.configuration(version: version))
                XCTAssertEqual(gate.configuration?.version, Int64(version), "\(fault)")
                let names = try await bench.vault.names()
                XCTAssertTrue(Set(names).isSuperset(of: held), "nothing is deleted")

                let restarted = try await bench.gate()
                XCTAssertEqual(restarted.configuration, gate.configuration, "\(fault), \(version)")
                let used = await restarted.admit(try bench.ticket("T-1"))
                XCTAssertEqual(used.reasons, [.alreadyUsed])
                bench.clock.advance(by: .seconds(30))
                try await running.refreshConfiguration()
                XCTAssertEqual(running.configuration, gate.configuration, "\(fault), \(version)")
                try await restarted.install(configuration: bench.configuration(version: version))
            }
        }
    }

    func testNoOlderOneIsTakenForIt() async throws {
        for fault in Fault.allCases {
            let bench = GateBench()
            _ = try await bench.openGate(version: 5)
            try await spoil(bench, fault)
            let gate = try await bench.gate()
            let held = try await bench.vault.names()
            do {
                try await gate.install(configuration: bench.configuration(version: 4))
                XCTFail("an older one is in force")
            } catch { XCTAssertEqual((error as? ConfigurationError)?.code, .olderVersion) }
            let names = try await bench.vault.names()
            XCTAssertEqual(Set(names), Set(held), "no key for what is not taken")
        }
    }

    func testAKeyThatCannotBeReadNowLeadsToNoOther() async throws {
        for code in [KeyVaultError.Code.unavailable, .denied] {
            for version in [1, 2] {
                let bench = GateBench()
                _ = try await bench.openGate()
                var ports = bench.ports
                ports.vault = PickyVault(base: bench.vault, refused: keyName, error: KeyVaultError(code))
                let shelf = ConfigurationShelf(
                    ports: ports,
                    hasher: SubjectHasher(
                        vault: ports.vault,
                        journal: ports.journal,
                        digest: ports.digest,
                        random: ports.random
                    )
                )
                let held = try await bench.vault.names()
                do {
                    let bytes = bench.configuration(version: version)
                    _ = try await shelf.install(bytes, signedBy: nil, now: bench.clock.now())
                    XCTFail("it was not read")
                } catch { XCTAssertEqual(error as? KeyVaultError, KeyVaultError(code)) }
                let names = try await bench.vault.names()
                XCTAssertEqual(Set(names), Set(held))
                let entries = try await bench.journal.entries(.configuration, after: 0, limit: 10)
                XCTAssertEqual(entries.map(\.draft.keyID), [KeyID(1)])
            }
        }
    }

    func testAConfigurationIsLookedForAgainWhenItsKeyIsRestored() async throws {
        let bench = GateBench()
        _ = try await bench.openGate()
        let kept = try await bench.vault.secret(named: keyName)
        try await bench.vault.remove(named: keyName)
        let gate = try await bench.gate()
        for _ in 0..<3 {
            bench.clock.advance(by: .seconds(30))
            try await gate.refreshConfiguration()
        }
        XCTAssertEqual(bench.diagnostics.count(of: .configurationUnreadable), 1, "told once")
        bench.vault.plant(try XCTUnwrap(kept), named: keyName)
        bench.clock.advance(by: .seconds(30))
        try await gate.refreshConfiguration()
        XCTAssertEqual(gate.configuration?.version, 1)
        let cured = try await gate.status()
        XCTAssertNil(cured.configurationFailure)
    }
}

/// A vault that cannot read one of its secrets now.
private struct PickyVault: KeyVault {
    let base: InMemoryKeyVault
    let refused: String
    let error: KeyVaultError

    func secret(named name: String) async throws -> [UInt8]? {
        if name == refused { throw error }
        return try await base.secret(named: name)
    }

    func insert(_ secret: [UInt8], named name: String) async throws -> Bool {
        try await base.insert(secret, named: name)
    }

    func remove(named name: String) async throws { try await base.remove(named: name) }

    func names() async throws -> [String] { try await base.names() }
}
