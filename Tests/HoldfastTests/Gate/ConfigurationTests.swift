import Holdfast
import HoldfastInMemory
import XCTest

final class ConfigurationTests: XCTestCase {
    private static func refusal(_ gate: TicketGate, _ bytes: [UInt8]) async -> ConfigurationError.Code? {
        do { try await gate.install(configuration: bytes) } catch { return (error as? ConfigurationError)?.code }
        return nil
    }

    /// Version 7 knows key `k1` no more.
    private func withoutKey(_ bench: GateBench, version: Int) -> [UInt8] {
        let text = String(decoding: bench.configuration(version: version), as: UTF8.self)
        return Array(text.replacingOccurrences(of: "\"k1\"", with: "\"k0\"").utf8)
    }

    func testOnlyANewerWholeOneReplacesTheOneInForce() async throws {
        let bench = GateBench()
        var gate = try await bench.gate()
        try await gate.install(configuration: withoutKey(bench, version: 7))
        let half = bench.configuration(version: 8).prefix(100)
        for _ in 0..<2 {
            let older = await Self.refusal(gate, bench.configuration(version: 6))
            let different = await Self.refusal(gate, bench.configuration(version: 7))
            let broken = await Self.refusal(gate, Array(half))
            XCTAssertEqual(older, .olderVersion)
            XCTAssertEqual(different, .sameVersionDifferentContent)
            XCTAssertEqual(broken, .malformed)
            let decision = await gate.admit(try bench.ticket("T-1"))
            XCTAssertEqual(decision.reasons, [.unknownKey])
            gate = try await bench.gate()  // and so it stays after a restart
        }
        try await gate.install(configuration: bench.configuration(version: 8))
        let decision = await gate.admit(try bench.ticket("T-1"))
        XCTAssertTrue(decision.isAccepted)
    }

    func testTheSameOneAgainChangesNothing() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        try await gate.install(configuration: bench.configuration())
        try await gate.install(configuration: bench.configuration() + Array("\n".utf8))
        let entries = try await bench.journal.entries(.configuration, after: 0, limit: 10)
        XCTAssertEqual(entries.count, 1)
    }

    func testOnlySignedOnesWhereAKeyIsPinned() async throws {
        let bench = GateBench()
        let pinned = ToySigner(seed: 99)
        let gate = try await bench.gate { $0.configurationKey = pinned.publicKey }
        let json = bench.configuration()
        let signed = Array("\(Base64URL.encode(json)).\(Base64URL.encode(pinned.sign(json)))".utf8)
        let forged = Array("\(Base64URL.encode(json)).\(Base64URL.encode(bench.issuer.sign(json)))".utf8)
        let unsigned = await Self.refusal(gate, json)
        let bad = await Self.refusal(gate, forged)
        XCTAssertEqual(unsigned, .unsigned)
        XCTAssertEqual(bad, .badSignature)
        XCTAssertNil(gate.configuration)
        try await gate.install(configuration: signed)
        let restarted = try await bench.gate()
        XCTAssertEqual(restarted.configuration, gate.configuration)
        try await restarted.install(configuration: json)
    }

    func testAWeakKeyIsRefusedAndForgesNothing() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let identity = Base64URL.encode([1] + [UInt8](repeating: 0, count: 31))
        let json = #"{"version": 2, "events": [{"eventId": "EV1", "keys": [{"publicKey": "\#(identity)"}]}]}"#
        let code = await Self.refusal(gate, Array(json.utf8))
        XCTAssertEqual(code, .weakKey)
        XCTAssertEqual(gate.configuration?.version, 1)
    }

    func testAnotherProcessesConfigurationIsFollowedWhenAsked() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let other = try await bench.gate("south")
        try await other.install(configuration: bench.configuration(#""revoked": ["T-1"]"#, version: 2))
        let before = await gate.admit(try bench.ticket("T-2"))
        XCTAssertTrue(before.isAccepted)
        let isNew = try await gate.refreshConfiguration()
        let isNewAgain = try await gate.refreshConfiguration()
        XCTAssertTrue(isNew)
        XCTAssertFalse(isNewAgain)
        let after = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(after.reasons, [.revoked])
    }

    func testAnOlderOneMakesAGateLookForTheNewer() async throws {
        let bench = GateBench()
        let gate = try await bench.gate()
        let other = try await bench.gate("south")
        try await other.install(configuration: bench.configuration(version: 3))
        let code = await Self.refusal(gate, bench.configuration(version: 2))
        XCTAssertEqual(code, .olderVersion)
        XCTAssertEqual(gate.configuration?.version, 3)
    }

    func testManyInstallationsAtOnceLeaveTheNewest() async throws {
        let bench = GateBench()
        let gates = [try await bench.gate("north"), try await bench.gate("south")]
        await withTaskGroup(of: Void.self) { group in
            for version in (1...20).shuffled() {
                for gate in gates {
                    group.addTask {
                        do { try await gate.install(configuration: bench.configuration(version: version)) } catch {
                            XCTAssertEqual((error as? ConfigurationError)?.code, .olderVersion)
                        }
                    }
                }
            }
        }
        for gate in gates {
            try await gate.refreshConfiguration()
            XCTAssertEqual(gate.configuration?.version, 20)
        }
        try await gates[0].keepHouse()
        let kept = try await bench.journal.entries(.configuration, after: 0, limit: 100)
        XCTAssertEqual(kept.map(\.draft.place?.version), [20])
        let restarted = try await bench.gate()
        XCTAssertEqual(restarted.configuration?.version, 20)
    }

    func testOfTwoDifferentOnesOfOneVersionOneWins() async throws {
        let bench = GateBench()
        let gates = [try await bench.gate("north"), try await bench.gate("south")]
        let documents = [bench.configuration(), bench.configuration(#""revoked": ["T-1"]"#)]
        let codes = await withTaskGroup(of: ConfigurationError.Code?.self) { group in
            for index in 0..<2 { group.addTask { await Self.refusal(gates[index], documents[index]) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(Set(codes), [nil, .sameVersionDifferentContent])
        let restarted = try await bench.gate()
        XCTAssertEqual(restarted.configuration?.version, 1)
    }

    func testOneThatCannotBeOpenedLeavesTheGateWithoutKeysButOpen() async throws {
        let bench = GateBench()
        _ = try await bench.openGate()
        for name in try await bench.vault.names() where name.contains("configuration") {
            try await bench.vault.remove(named: name)
        }
        let gate = try await bench.gate()
        let decision = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(decision.reasons, [.noKeys])
        let status = try await gate.status()
        XCTAssertEqual(status.configurationFailure?.code.rawValue, "crypto_key_absent")
        XCTAssertEqual(bench.diagnostics.count(of: .configurationUnreadable), 1)
        try await gate.install(configuration: bench.configuration(version: 2))
        let cured = try await gate.status()
        XCTAssertNil(cured.configurationFailure)
        XCTAssertEqual(cured.configurationVersion, 2)
    }

    func testALockedVaultKeepsAGateFromOpeningAndChangesNothing() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        bench.vault.lock()
        do {
            _ = try await bench.gate("south")
            XCTFail("the vault is locked")
        } catch { XCTAssertEqual((error as? KeyVaultError)?.code, .unavailable) }
        bench.vault.unlock()
        let south = try await bench.gate("south")
        XCTAssertEqual(south.configuration, gate.configuration)
    }

    func testManyRevokedTickets() async throws {
        let bench = GateBench()
        let gate = try await bench.gate()
        let ids = (0..<200_000).map { "\"T-\($0)\"" }.joined(separator: ",")
        try await gate.install(configuration: bench.configuration(#""revoked": [\#(ids)]"#))
        let revoked = await gate.admit(try bench.ticket("T-199999"))
        let good = await gate.admit(try bench.ticket("T-200000"))
        XCTAssertEqual(revoked.reasons, [.revoked])
        XCTAssertTrue(good.isAccepted)
    }
}
