import Holdfast
import HoldfastInMemory
import XCTest

/// Locked keys, full disks, damaged rows: nothing is lost but what is counted, and one bad row blocks no other.
final class TelemetryStorageTests: XCTestCase {
    func testWhileTheVaultIsLockedEventsWaitInMemoryAndNothingIsKeyedAnew() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        try await bench.open().record([1])
        bench.network.set(reachable: true)
        bench.vault.lock()
        let telemetry = try await bench.open()
        telemetry.log("t", ["n": 2])
        let locked = await telemetry.flush()
        XCTAssertEqual(locked.status.why, .vaultUnavailable)
        XCTAssertEqual(locked.status.queued, 1)
        XCTAssertEqual(locked.status.buffered, 1)
        do {
            try await telemetry.record([3])
            XCTFail("not durable")
        } catch {
            let cause = TelemetryError.Cause.vault(KeyVaultError(.unavailable))
            XCTAssertEqual(error as? TelemetryError, TelemetryError(.notStored, cause: cause))
        }
        bench.vault.unlock()
        let names = try await bench.vault.names()
        XCTAssertEqual(names, ["telemetry.key.1"])
        let report = await telemetry.flush()
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(bench.collector.numbers, [1, 2])
        XCTAssertEqual(report.status.lost, [:])
    }

    func testWhenTheVaultReturnsWhatWaitedIsStoredAndSentByItself() async throws {
        let bench = TelemetryBench()
        bench.vault.lock()
        let telemetry = try await bench.open()
        telemetry.log("t", ["n": 1])
        _ = await telemetry.status { $0.why == .vaultUnavailable }
        bench.vault.unlock()
        await bench.passTime(.seconds(1))
        _ = await telemetry.status { $0.queued == 1 }
        await bench.passTime(.seconds(60))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testAFullBufferRefusesWhatComesAndKeepsWhatWasTaken() async throws {
        let bench = TelemetryBench()
        bench.vault.lock()
        var policy = TelemetryBench.plain
        policy.maxBufferedBytes = 10_000
        let telemetry = try await bench.open(policy)
        var taken: [Int64] = []
        for number in 1...100 as ClosedRange<Int64> {
            if case .taken = telemetry.log("t", ["n": .integer(number)]) { taken.append(number) }
        }
        XCTAssertEqual(telemetry.log("t", ["n": 101]), .refused(TelemetryError(.bufferFull)))
        XCTAssertEqual(taken, Array(1...Int64(taken.count)))
        XCTAssertGreaterThan(taken.count, 20)
        bench.vault.unlock()
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, taken)
        XCTAssertEqual(report.status.lost, [.overflow: 101 - taken.count])
    }

    func testAFullDiskKeepsEventsInMemoryInOrder() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        await bench.journal.fail(with: QueueStoreError(.full, platformCode: 13))
        telemetry.log("t", ["n": 2])
        do {
            try await telemetry.record([3])
            XCTFail("not durable")
        } catch {
            let cause = TelemetryError.Cause.store(QueueStoreError(.full, platformCode: 13))
            XCTAssertEqual(error as? TelemetryError, TelemetryError(.notStored, cause: cause))
        }
        telemetry.log("t", ["n": 4])
        telemetry.log("t", ["n": .double(.nan)])
        let full = await telemetry.flush()
        XCTAssertEqual(full.status.why, .storeUnavailable)
        do {
            try await telemetry.persist()
            XCTFail("not durable")
        } catch { XCTAssertEqual((error as? TelemetryError)?.code, .notStored) }
        await bench.journal.fail(with: nil)
        try await telemetry.persist()
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1, 2, 4])
        let losses = try await bench.losses
        XCTAssertEqual(losses, [.invalid: 1], "counted once there is room for the ledger")
    }

    func testThatNothingCanBeStoredIsToldWhileEventsAreGathered() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        var status = await telemetry.status()
        XCTAssertEqual(status.why, .gathering)
        await bench.journal.fail(with: QueueStoreError(.inputOutput))
        telemetry.log("t", ["n": 2])
        try? await telemetry.persist()
        status = await telemetry.status()
        XCTAssertEqual(status.why, .storeUnavailable)
        await bench.journal.fail(with: nil)
        try await telemetry.persist()
        status = await telemetry.status()
        XCTAssertEqual(status.why, .gathering)
        XCTAssertEqual(status.queued, 2)
    }

    func testWhenThereIsRoomAgainEverythingIsSentWithoutWaitingForTheNextLook() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        await bench.journal.fail(with: QueueStoreError(.full))
        telemetry.log("t", ["n": 2])
        let held = await telemetry.flush()
        XCTAssertEqual(held.status.why, .storeUnavailable)
        await bench.journal.fail(with: nil)
        try await telemetry.persist()
        await bench.passTime(.seconds(2))
        _ = await telemetry.status { $0.queued == 0 }
        XCTAssertEqual(bench.collector.numbers, [1, 2])
    }

    func testLoggingGoesOnWhileTheDiskStalls() async throws {
        let bench = TelemetryBench()
        let stalling = StallingJournal(bench.journal)
        let telemetry = try await bench.open(journal: stalling)
        telemetry.log("t", ["n": 1])
        await stalling.stalled()
        for number in 2...1000 as ClosedRange<Int64> {
            guard case .taken = telemetry.log("t", ["n": .integer(number)]) else { return XCTFail("refused") }
        }
        await stalling.release()
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, Array(1...1000))
    }

    func testWhatIsBeingWrittenTakesMemoryAndStaysAheadIfThatFails() async throws {
        let bench = TelemetryBench()
        let stalling = StallingJournal(bench.journal)
        var policy = TelemetryBench.plain
        policy.commitInterval = .milliseconds(20)
        policy.maxBufferedBytes = 10_000
        let telemetry = try await bench.open(policy, journal: stalling)
        let text = PayloadValue.string(String(repeating: "x", count: 1000))
        var taken: [Int64] = []
        func log(_ numbers: ClosedRange<Int64>) {
            for number in numbers {
                if case .taken = telemetry.log("t", ["n": .integer(number), "text": text]) { taken.append(number) }
            }
        }
        log(1...3)
        await bench.passTime(.milliseconds(20))
        await stalling.stalled()
        log(4...20)
        await stalling.release(failing: QueueStoreError(.inputOutput))
        let report = await telemetry.flush()
        XCTAssertEqual(taken, Array(1...Int64(taken.count)))
        XCTAssertEqual(bench.collector.numbers, taken)
        XCTAssertLessThanOrEqual(bench.collector.batches.reduce(0) { $0 + $1.bodyBytes }, policy.maxBufferedBytes)
        XCTAssertEqual(report.status.lost, [.overflow: 20 - taken.count])
    }

    func testADamagedRowIsSetAsideAndTheOthersGoOn() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        try await bench.open().record(1...4)
        let entries = try await bench.journal.entries(.telemetry, after: 0, limit: 10)
        let key = entries[0].draft.keyID
        // The first is damaged; the third's bytes are put in the place of the second's.
        _ = try await bench.journal.reseal([
            Resealed(id: entries[0].draft.id, oldKey: key, newKey: key, sealed: [UInt8](repeating: 7, count: 90)),
            Resealed(id: entries[1].draft.id, oldKey: key, newKey: key, sealed: entries[2].draft.sealed),
        ])
        bench.network.set(reachable: true)
        var policy = TelemetryBench.plain
        policy.limits.maxBatchCount = 2
        let telemetry = try await bench.open(policy)
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [3, 4])
        XCTAssertEqual(report.status.lost, [.undecryptable: 2])
        XCTAssertEqual(report.status.deadLettered, 2)
        XCTAssertEqual(report.status.queued, 0)
    }

    func testAStoredRowThatIsNoEventIsSetAside() async throws {
        let bench = TelemetryBench()
        let ring = KeyRing(stream: .telemetry, vault: bench.vault, random: SeededRandom(seed: 9))
        let key = try await ring.current()
        let sealer = Sealer(stream: .telemetry, ring: ring, cipher: ToyCipher())
        let id = EntryID(high: 1, low: 1)
        let draft = Draft(
            id: id,
            stream: .telemetry,
            recordedAt: bench.clock.now().wall,
            keyID: key.id,
            sealed: try sealer.seal(Array("nonsense".utf8), id: id, with: key)
        )
        _ = try await bench.journal.append([draft], durability: .processDeath)
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1])
        XCTAssertEqual(report.status.lost, [.invalid: 1])
    }

    func testNoTwoEventsAreSealedAlike() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        for _ in 0..<2 {
            let telemetry = try await bench.open()
            for _ in 0..<500 { telemetry.log("t", ["n": 1]) }
            try await telemetry.rotateKey()
            for _ in 0..<500 { telemetry.log("t", ["n": 1]) }
            await telemetry.close()
        }
        let entries = try await bench.journal.entries(.telemetry, after: 0, limit: 3000)
        XCTAssertEqual(entries.count, 2000)
        XCTAssertEqual(Set(entries.map { Array($0.draft.sealed.prefix(12)) }).count, 2000)
    }
}

/// Lets the first append wait until it is released, as a disk that stalls does, and perhaps fail then.
private actor StallingJournal: JournalWrapper {
    let base: any Journal
    private var isReleased = false
    private var failure: QueueStoreError?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var observers: [CheckedContinuation<Void, Never>] = []

    init(_ base: any Journal) { self.base = base }

    func stalled() async {
        if waiting.isEmpty { await withCheckedContinuation { observers.append($0) } }
    }

    func release(failing error: QueueStoreError? = nil) {
        isReleased = true
        failure = error
        waiting.forEach { $0.resume() }
        waiting = []
    }

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        if !isReleased {
            await withCheckedContinuation { continuation in
                waiting.append(continuation)
                observers.forEach { $0.resume() }
                observers = []
            }
            if let failure { throw failure }
        }
        return try await base.append(drafts, durability: durability)
    }
}
