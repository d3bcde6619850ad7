import Holdfast
import HoldfastInMemory
import XCTest

/// A gate whose vault or journal is not what it was.
final class GateLossTests: XCTestCase {
    func testWithoutItsSecretAGateAdmitsNobodyAndHandsItsRecordsOver() async throws {
        let bench = GateBench()
        let text = try bench.ticket("T-1")
        let admitted = await (try await bench.openGate()).admit(text)
        XCTAssertTrue(admitted.isAccepted)
        let kept = try await bench.vault.secret(named: "subject.secret")
        try await bench.vault.remove(named: "subject.secret")

        let gate = try await bench.gate()
        XCTAssertTrue(gate.hasLostSecret)
        for id in ["T-1", "T-2"] {
            let decision = await gate.admit(try bench.ticket(id))
            XCTAssertEqual(decision.reasons, [.cannotRecord])
            XCTAssertEqual(decision.failure?.code.rawValue, "vault_lost")
            XCTAssertTrue(decision.isRecorded)
        }
        let status = try await gate.status()
        XCTAssertEqual(status.configurationFailure?.code.rawValue, "vault_lost")
        do {
            try await gate.install(configuration: bench.configuration(version: 2))
            XCTFail("installed")
        } catch { XCTAssertEqual(error as? KeyVaultError, KeyVaultError(.lost)) }
        XCTAssertEqual(bench.diagnostics.events.filter { $0.code == .secretLost }.count, 1)
        let names = try await bench.vault.names()
        XCTAssertFalse(names.contains("subject.secret"), "another was made")
        let report = await gate.sync { _ in }
        XCTAssertEqual(report.delivered, 3)

        bench.vault.plant(try XCTUnwrap(kept), named: "subject.secret")
        try await gate.refreshConfiguration()
        XCTAssertFalse(gate.hasLostSecret)
        let used = await gate.admit(text)
        XCTAssertEqual(used.reasons, [.alreadyUsed])
        let fresh = await gate.admit(try bench.ticket("T-2"))
        XCTAssertTrue(fresh.isAccepted)
    }

    func testRecordsWaitForAVaultThatIsRestored() async throws {
        let bench = GateBench()
        _ = await (try await bench.openGate()).admit(try bench.ticket("T-1"))
        var ports = bench.ports
        ports.vault = InMemoryKeyVault()
        let blind = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), ports: ports)
        _ = await blind.admit(try bench.ticket("T-2"))
        let report = await blind.sync { _ in }
        XCTAssertEqual(report.delivered, 1, "the one that opens")
        XCTAssertEqual(report.setAside, [:])
        XCTAssertEqual(report.obstacle, .deferred)

        let gate = try await bench.gate()
        let rest = await gate.sync(via: ScriptedBatchSender(), ignoringBackOff: true)
        XCTAssertEqual(rest.delivered, 1)
        XCTAssertTrue(rest.isComplete)
    }

    func testADamagedKeyKeepsNoRecordThatOpensFromBeingHandedOver() async throws {
        for name in ["subject.secret", "configuration.key.1", "gate.key.1", "gate.key.2"] {
            let bench = GateBench()
            let first = try await bench.openGate()
            _ = await first.admit(try bench.ticket("T-1"))
            _ = try await first.rotateKey()
            _ = await first.admit(try bench.ticket("T-2"))
            bench.vault.damage(name)

            let gate = try await bench.gate()
            let used = await gate.admit(try bench.ticket("T-1"))
            XCTAssertFalse(used.isAccepted, name)
            let readable = try await gate.records().filter { $0.record != nil && $0.scanID != used.scanID }
            XCTAssertEqual(readable.count, name.hasPrefix("gate") ? 1 : 2, name)
            let report = await gate.sync { _ in }
            XCTAssertGreaterThanOrEqual(report.delivered, readable.count, name)
            XCTAssertEqual(report.setAside, [:], "its file may be restored")
            XCTAssertEqual(report.obstacle, name.hasPrefix("gate") ? .deferred : nil, name)
            if name == "subject.secret" { XCTAssertTrue(gate.hasLostSecret) }
            if name == "gate.key.2" {
                let fresh = await gate.admit(try bench.ticket("T-3"))
                XCTAssertEqual(fresh.failure?.code.rawValue, "vault_damaged", "no key is replaced by itself")
                var status = try await gate.status()
                XCTAssertTrue(status.isNewestKeyDamaged)
                _ = try await gate.rotateKey()
                status = try await gate.status()
                XCTAssertFalse(status.isNewestKeyDamaged)
                let admitted = await gate.admit(try bench.ticket("T-3"))
                XCTAssertTrue(admitted.isAccepted)
            }
        }
    }

    func testRecordsUnderADamagedKeyWaitUntilItIsRestoredOrRemoved() async throws {
        for isRestored in [true, false] {
            let bench = GateBench()
            let first = try await bench.openGate()
            for id in ["T-1", "T-2"] { _ = await first.admit(try bench.ticket(id)) }
            _ = try await first.rotateKey()
            _ = await first.admit(try bench.ticket("T-3"))
            let kept = try await bench.vault.secret(named: "gate.key.1")
            bench.vault.damage("gate.key.1")

            let gate = try await bench.gate()
            let report = await gate.sync { _ in }
            XCTAssertEqual(report.delivered, 1)
            XCTAssertEqual(report.setAside, [:])
            var status = try await gate.status()
            XCTAssertEqual(status.queued, 2)
            XCTAssertEqual(status.damagedKeys, [KeyID(1): 2])
            XCTAssertFalse(status.isNewestKeyDamaged)
            XCTAssertEqual(status.lostRecords, 0)
            XCTAssertEqual(bench.diagnostics.events.filter { $0.code == .keysLost }.map(\.count), [2])
            XCTAssertEqual(bench.diagnostics.count(of: .entryUndecryptable), 0)

            try await bench.vault.remove(named: "gate.key.1")
            if isRestored { bench.vault.plant(try XCTUnwrap(kept), named: "gate.key.1") }
            let rest = await gate.sync(via: ScriptedBatchSender(), ignoringBackOff: true)
            XCTAssertEqual(rest.delivered, isRestored ? 2 : 0)
            XCTAssertEqual(rest.setAside, isRestored ? [:] : [.undecryptable: 2])
            XCTAssertTrue(rest.isComplete)
            status = try await gate.status()
            XCTAssertEqual(status.damagedKeys, [:])
            XCTAssertEqual(status.lostRecords, isRestored ? 0 : 2)
        }
    }

    func testAnotherVaultIsNoVaultForThisJournal() async throws {
        let bench = GateBench()
        _ = try await bench.openGate()
        var ports = bench.ports
        ports.vault = InMemoryKeyVault()
        var policy = GatePolicy()
        policy.onRecordFailure = .flag
        let gate = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), policy: policy, ports: ports)
        let decision = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(decision.reasons, [.cannotRecord], "whatever the policy")
        let opened = try await bench.gate()
        let accepted = await opened.admit(try bench.ticket("T-1"))
        XCTAssertTrue(accepted.isAccepted)
    }

    func testARunningGateGoesOnWithTheSecretItHasAndPutsItBack() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        for name in try await bench.vault.names() { try await bench.vault.remove(named: name) }
        try await gate.install(configuration: bench.configuration(version: 2))
        let text = try bench.ticket("T-1")
        let first = await gate.admit(text)
        let second = await gate.admit(text)
        XCTAssertTrue(first.isAccepted)
        XCTAssertEqual(second.reasons, [.alreadyUsed])
        bench.clock.advance(by: .seconds(30))
        try await gate.refreshConfiguration()
        let next = try await bench.gate("south")
        XCTAssertFalse(next.hasLostSecret)
        let used = await next.admit(text)
        XCTAssertEqual(used.reasons, [.alreadyUsed])
        XCTAssertEqual(used.firstGate, "north", "its record opens")
    }

    func testANewJournalBesideKeysIsToldOnceAndKeptInTheStatus() async throws {
        let bench = GateBench()
        let first = try await bench.gate()
        let before = try await first.status()
        XCTAssertNil(before.journalLostAt)
        // Opened again before anything was recorded: nothing is lost.
        _ = try await bench.gate("south")
        XCTAssertEqual(bench.diagnostics.events, [])

        var ports = bench.ports
        ports.journal = InMemoryQueueStore()
        bench.clock.advance(by: .hours(1))
        let place = GatePlace(event: "EV1", zone: "GA")
        for _ in 0..<2 {
            let gate = try await TicketGate(at: place, ports: ports)
            let status = try await gate.status()
            XCTAssertEqual(status.journalLostAt, GateBench.start + .hours(1))
            XCTAssertEqual(bench.diagnostics.events.map(\.code), [.journalLost], "told once")
        }
    }

    func testWhatDamageHasTakenStaysInTheStatus() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let sound = try await gate.status()
        XCTAssertNil(sound.lost)
        func note(_ count: Int) async throws {
            let note = JournalDamage(atLeast: count).note
            try await bench.journal.setValue(note, named: JournalDamage.noteName(of: .gate))
        }
        // As a store does that had to mend itself, under a gate that goes on.
        try await note(0)
        bench.clock.advance(by: .seconds(30))
        try await gate.refreshConfiguration()
        bench.clock.advance(by: .hours(1))
        let first = try await gate.status()
        XCTAssertEqual(first.lost, JournalLoss(atLeast: nil, noticed: GateBench.start + .seconds(30)))
        try await note(7)
        let second = try await gate.status()
        XCTAssertEqual(second.lost, JournalLoss(atLeast: 7, noticed: bench.clock.now().wall))
        bench.clock.advance(by: .hours(1))
        let later = try await (try await bench.gate("south")).status()
        XCTAssertEqual(later.lost, second.lost, "whoever asks, and after a restart")
    }

    func testTwoGatesThatBeginAtOnceLoseNothing() async throws {
        let bench = GateBench()
        try await withThrowingTaskGroup(of: Timestamp?.self) { group in
            for number in 0..<20 {
                group.addTask { try await bench.gate("\(number)").status().journalLostAt }
            }
            for try await lost in group { XCTAssertNil(lost) }
        }
        XCTAssertEqual(bench.diagnostics.events, [])
    }

    func testWhatOneGateRecordsUnderAKeyThatAnotherRemovedIsSealedAgain() async throws {
        let bench = GateBench()
        let north = try await bench.openGate()
        let south = try await bench.gate("south")
        let before = await north.admit(try bench.ticket("T-1"))
        try await south.rotateKey()
        let unopened = try await south.resealRecords()
        XCTAssertEqual(unopened, 0)
        try await south.keepHouse()
        let names = try await bench.vault.names()
        XCTAssertFalse(names.contains("gate.key.1"))
        let used = await north.admit(try bench.ticket("T-1"))
        XCTAssertEqual(used.reasons, [.alreadyUsed])
        let fresh = await north.admit(try bench.ticket("T-2"))
        XCTAssertTrue(fresh.isAccepted)
        // Nothing is left of north but its records.
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.scanID), [before.scanID, used.scanID, fresh.scanID])
    }
}
