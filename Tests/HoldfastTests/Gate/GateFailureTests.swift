import Holdfast
import HoldfastInMemory
import XCTest

final class GateFailureTests: XCTestCase {
    func testWhatCannotBeRecordedIsNotAdmitted() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        await bench.journal.fail(with: QueueStoreError(.full, platformCode: 13))
        let good = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(good.reasons, [.cannotRecord])
        XCTAssertFalse(good.isRecorded)
        XCTAssertEqual(good.failure, GateFailure(GateFailure.Code("store_full"), platformCode: 13))
        let bad = await gate.admit(try bench.ticket("T-1", signedBy: bench.other))
        XCTAssertEqual(bad.reasons, [.badSignature, .cannotRecord], "why it was bad still comes first")
        let unreadable = await gate.admit("nonsense")
        XCTAssertEqual(unreadable.reasons, [.malformed, .cannotRecord])
        XCTAssertEqual(bench.diagnostics.count(of: .recordFailed), 3)
    }

    func testAttemptsThatCouldNotBeRecordedAreRecordedLater() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        await bench.journal.fail(with: QueueStoreError(.busy))
        let failed = await gate.admit(try bench.ticket("T-1"))
        bench.clock.advance(by: .seconds(30))
        await bench.journal.fail(with: nil)
        var status = try await gate.status()
        XCTAssertEqual(status.unrecorded, 1)
        XCTAssertEqual(status.unrecordedFailure?.code.rawValue, "store_busy")
        let good = await gate.admit(try bench.ticket("T-1"))
        XCTAssertTrue(good.isAccepted, "the refusal consumed nothing")
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.scanID), [good.scanID, failed.scanID])
        XCTAssertEqual(records[1].reasons, [.cannotRecord])
        XCTAssertEqual(records[1].at.wall, GateBench.start, "with the time at which it happened")
        status = try await gate.status()
        XCTAssertEqual(status.unrecorded, 0)
        XCTAssertNil(status.unrecordedFailure)
    }

    func testAttemptsThatCouldNotBeRecordedAreHandedOverThoughNobodyScansAgain() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        await bench.journal.fail(with: QueueStoreError(.busy))
        let failed = await gate.admit(try bench.ticket("T-1"))
        await bench.journal.fail(with: nil)
        let sender = ScriptedBatchSender()
        await gate.sync(via: sender)
        XCTAssertEqual(sender.batches.flatMap { $0 }.map(\.scanID), [failed.scanID])
    }

    func testAHostMayAdmitRegardlessAndItIsCounted() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.onRecordFailure = .flag }
        let used = try bench.ticket("T-0")
        _ = await gate.admit(used)
        await bench.journal.fail(with: QueueStoreError(.inputOutput))
        let text = try bench.ticket("T-1")
        let admitted = await gate.admit(text)
        XCTAssertTrue(admitted.isAccepted && !admitted.isRecorded)
        XCTAssertEqual(admitted.failure?.code.rawValue, "store_input_output")
        let again = await gate.admit(text)
        XCTAssertEqual(again.reasons, [.alreadyUsed, .cannotRecord], "the gate remembers whom it let through")
        let forged = await gate.admit(try bench.ticket("T-2", signedBy: bench.other))
        XCTAssertEqual(forged.reasons, [.badSignature, .cannotRecord])
        XCTAssertEqual(bench.diagnostics.count(of: .admittedUnrecorded), 1)
        await bench.journal.fail(with: nil)
        let late = await gate.admit(text)
        XCTAssertEqual(late.reasons, [.alreadyUsed], "recorded before the ticket is looked at again")
        XCTAssertEqual(late.firstUsedAt, GateBench.start)
        let status = try await gate.status()
        XCTAssertEqual(status.admittedUnrecorded, 1)
        XCTAssertEqual(status.unrecorded, 0)
        let records = try await bench.records()
        XCTAssertEqual(records.filter { $0.ticketID == "T-1" }.map(\.verdict), [.accepted, .denied, .denied])
    }

    func testAdmittedRegardlessAtTwoGatesBothCount() async throws {
        let bench = GateBench()
        let gates = [
            try await bench.openGate { $0.onRecordFailure = .flag },
            try await bench.gate("south") { $0.onRecordFailure = .flag },
        ]
        await bench.journal.fail(with: QueueStoreError(.inputOutput))
        let text = try bench.ticket("T-1")
        for gate in gates { _ = await gate.admit(text) }
        await bench.journal.fail(with: nil)
        for gate in gates { _ = await gate.admit("nonsense") }
        let records = try await bench.records()
        let admissions = records.filter { $0.ticketID == "T-1" }
        XCTAssertEqual(admissions.map(\.verdict), [.accepted, .accepted])
        XCTAssertEqual(admissions.map(\.use?.entries), [1, 2], "whoever was let in counts")
        let third = await gates[0].admit(text)
        XCTAssertEqual(third.reasons, [.alreadyUsed])
    }

    func testNobodyIsKeptInsideByAJournalThatCannotBeRead() async throws {
        let bench = GateBench()
        let entry = try await bench.openGate { $0.onRecordFailure = .flag }
        let exit = try await bench.gate("out", direction: .exit) { $0.onRecordFailure = .flag }
        let text = try bench.ticket("T-1")
        _ = await entry.admit(text)
        await bench.journal.fail(with: QueueStoreError(.inputOutput))
        let out = await exit.admit(text)
        XCTAssertTrue(out.isAccepted && !out.isRecorded)
        await bench.journal.fail(with: nil)
        _ = await exit.admit("nonsense")
        let records = try await bench.records()
        XCTAssertEqual(records.filter { $0.ticketID == "T-1" }.map(\.direction), [.entry, .exit])
        XCTAssertEqual(records.last?.use?.isInside, false)
    }

    func testAReadableHistoryIsAskedEvenWhenNothingCanBeWritten() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let text = try bench.ticket("T-1")
        _ = await gate.admit(text)
        var ports = bench.ports
        ports.journal = ReadOnlyJournal(base: bench.journal)
        var policy = GatePolicy()
        policy.onRecordFailure = .flag
        let place = GatePlace(event: "EV1", zone: "GA")
        let readOnly = try await TicketGate(at: place, policy: policy, ports: ports)
        let used = await readOnly.admit(text)
        XCTAssertEqual(used.reasons, [.alreadyUsed, .cannotRecord])
        XCTAssertEqual(used.firstGate, "north")
        let fresh = await readOnly.admit(try bench.ticket("T-2"))
        XCTAssertTrue(fresh.isAccepted)
    }

    func testAHistoryBehindALockedOrDamagedVaultAdmitsNobody() async throws {
        let bench = GateBench()
        let north = try await bench.openGate(#""admission": {"entries": 2}"#)
        let south = try await bench.gate("south")
        let key = try await south.rotateKey()
        let text = try bench.ticket("T-1")
        let first = await south.admit(text)
        XCTAssertTrue(first.isAccepted)
        bench.vault.lock()
        let locked = await north.admit(text)
        XCTAssertEqual(locked.reasons, [.cannotRecord])
        XCTAssertEqual(locked.failure?.code.rawValue, "vault_unavailable")
        bench.vault.unlock()
        let name = try await bench.vault.names().first { $0.contains("gate") && $0.hasSuffix("\(key.rawValue)") }
        bench.vault.damage(try XCTUnwrap(name))
        let damaged = await north.admit(text)
        XCTAssertEqual(damaged.reasons, [.cannotRecord])
        XCTAssertEqual(damaged.failure?.code.rawValue, "vault_damaged")
        XCTAssertTrue(damaged.ticket?.ticketID == "T-1")
    }

    func testAVerifierThatFailsAdmitsNobodyWhateverThePolicy() async throws {
        let bench = GateBench()
        _ = try await bench.openGate()
        var ports = bench.ports
        ports.verifier = BrokenVerifier()
        var policy = GatePolicy()
        policy.onRecordFailure = .flag
        let gate = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), policy: policy, ports: ports)
        let decision = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(decision.reasons, [.cannotRecord])
        XCTAssertEqual(decision.failure?.code.rawValue, "crypto_library_failure")
        XCTAssertTrue(decision.isRecorded)
    }

    func testFailuresSayNothingOfTheTicket() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        await bench.journal.fail(with: QueueStoreError(.full, platformCode: 13))
        let decision = await gate.admit(try bench.ticket("SECRET"))
        XCTAssertEqual(decision.failure?.description, "gate: store_full (13)")
        await bench.journal.fail(with: nil)
        let recorded = await gate.admit(try bench.ticket("SECRET"))
        XCTAssertEqual(recorded.description, "Decision(accepted, \(recorded.scanID), #1)")
        let stored = try await gate.records()
        let reading = ScanReading(try bench.ticket("SECRET"))
        for value in [
            recorded as Any, stored, stored[0].record as Any, recorded.ticket as Any, recorded.verdict, reading,
        ] {
            XCTAssertFalse("\(value)".contains("SECRET"), "\(type(of: value))")
        }
    }
}

private struct BrokenVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) throws -> Bool {
        throw CryptoError(.libraryFailure, platformCode: 1)
    }
}

/// A journal on a disk that takes nothing: what is there can be read.
private struct ReadOnlyJournal: JournalWrapper {
    let base: any Journal

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        throw QueueStoreError(.readOnly)
    }
    func lease(_ request: LeaseRequest) async throws -> Lease? { throw QueueStoreError(.readOnly) }
    func settle(_ lease: Lease.ID, of stream: StreamName, outcomes: [EntryID: EntryOutcome], retry: RetryState)
        async throws
    { throw QueueStoreError(.readOnly) }
    func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport {
        throw QueueStoreError(.readOnly)
    }
    func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) async throws {
        throw QueueStoreError(.readOnly)
    }
    func reseal(_ entries: [Resealed]) async throws -> Int { throw QueueStoreError(.readOnly) }
    func retireKeys(of stream: StreamName, below floor: KeyID) async throws -> Set<KeyID> {
        throw QueueStoreError(.readOnly)
    }
    func erase(_ stream: StreamName, reason: LossReason) async throws -> Int { throw QueueStoreError(.readOnly) }
    func setValue(_ value: [UInt8]?, named name: String) async throws { throw QueueStoreError(.readOnly) }
}
