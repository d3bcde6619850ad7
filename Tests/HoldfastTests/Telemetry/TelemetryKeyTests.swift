import Holdfast
import HoldfastInMemory
import XCTest

final class TelemetryKeyTests: XCTestCase {
    func testRotationLosesNothingAndTheOldKeyGoesWhenNoEventNeedsIt() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        var telemetry = try await bench.open()
        try await telemetry.record(1...3)
        let key = try await telemetry.rotateKey()
        XCTAssertEqual(key, KeyID(2))
        try await telemetry.record(4...6)
        let status = await telemetry.status()
        XCTAssertEqual(status.keyID, KeyID(2))
        telemetry = try await bench.open()
        bench.clock.advance(by: .minutes(2))
        telemetry.log("t", ["n": 7])
        let offline = try await bench.vault.names()
        XCTAssertEqual(offline.sorted(), ["telemetry.key.1", "telemetry.key.2"], "three events still need the first")
        bench.network.set(reachable: true)
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, Array(1...7))
        bench.clock.advance(by: .minutes(2))
        await telemetry.flush()
        let names = try await bench.vault.names()
        XCTAssertEqual(names, ["telemetry.key.2"])
    }

    func testResealingLetsTheOldKeyGoAtOnce() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        try await telemetry.record(1...300)
        try await telemetry.rotateKey(resealing: true)
        let names = try await bench.vault.names()
        XCTAssertEqual(names, ["telemetry.key.2"])
        bench.network.set(reachable: true)
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, Array(1...300))
    }

    func testKeysThatCannotBeMadeChangeNothing() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        bench.vault.lock()
        await assertVaultIsUnavailable { try await telemetry.rotateKey() }
        let status = await telemetry.status()
        XCTAssertEqual(status.keyID, KeyID(1))
        bench.vault.unlock()
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1])
    }

    func testNothingIsSealedWithAKeyThatTheVaultMayHaveLost() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        try await telemetry.record([1])
        try await telemetry.persist()  // behind what the writer does after the first group, too
        bench.vault.lock()
        bench.clock.advance(by: .minutes(2))
        // The vault is looked at once a minute, after a group is written.
        try await telemetry.record([2])
        do {
            try await telemetry.record([3])
            XCTFail("recorded")
        } catch {
            let cause = (error as? TelemetryError)?.cause
            XCTAssertEqual(cause, .vault(KeyVaultError(.unavailable)))
        }
        telemetry.log("t", ["n": 4])
        bench.vault.unlock()
        bench.network.set(reachable: true)
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [1, 2, 4])
        let names = try await bench.vault.names()
        XCTAssertEqual(names, ["telemetry.key.1"], "no other key was made")
    }

    func testErasingDestroysKeysAndEventsAndCountsThem() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        try await telemetry.record(1...5)
        try await telemetry.erase()
        let entries = try await bench.journal.entries(.telemetry, after: 0, limit: 10)
        XCTAssertEqual(entries, [])
        let names = try await bench.vault.names()
        XCTAssertFalse(names.contains { $0.hasPrefix("telemetry.key") })
        try await telemetry.record([6])
        bench.network.set(reachable: true)
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [6])
        XCTAssertEqual(report.status.lost, [.consent: 5])
        XCTAssertGreaterThan(report.status.keyID ?? KeyID(0), KeyID(1))
    }

    func testErasingTakesWhatIsOnlyInMemoryToo() async throws {
        let bench = TelemetryBench()
        bench.vault.lock()
        let telemetry = try await bench.open()
        telemetry.log("t", ["n": 1])
        _ = await telemetry.status { $0.why == .vaultUnavailable }
        await assertVaultIsUnavailable { try await telemetry.erase() }
        bench.vault.unlock()
        telemetry.log("t", ["n": 2])
        let report = await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [2])
        XCTAssertEqual(report.status.lost, [.consent: 1])
    }

    func testErasingCallsOffTheRequestThatIsUnderWay() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record(1...5)
        bench.collector.hold()
        async let report = telemetry.flush()
        await bench.collector.arrivals(1)
        try await telemetry.erase()
        bench.collector.release()
        let ended = await report
        XCTAssertEqual(ended.delivery.delivered, 0)
        XCTAssertEqual(bench.collector.numbers, [])
        let status = await telemetry.status()
        XCTAssertEqual(status.queued, 0)
    }

    func testAnErasureIsFinishedThoughNothingIsLoggedAnyMore() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        var telemetry = try await bench.open()
        try await telemetry.record(1...5)
        bench.vault.lock()
        await assertVaultIsUnavailable { try await telemetry.setConsent(.denied) }
        await telemetry.close()
        telemetry = try await bench.open()
        _ = await telemetry.status { $0.why == .vaultUnavailable }
        bench.vault.unlock()
        await bench.passTime(.seconds(1))
        _ = await telemetry.status { $0.why == nil }
        let names = try await bench.vault.names()
        XCTAssertFalse(names.contains { $0.hasPrefix("telemetry.key") })
    }

    func testAnErasureThatTheVaultInterruptedIsFinishedLaterAndNothingIsSealedWithTheOldKeyMeanwhile() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        var telemetry = try await bench.open()
        try await telemetry.record(1...5)
        bench.vault.lock()
        await assertVaultIsUnavailable { try await telemetry.erase() }
        let entries = try await bench.journal.entries(.telemetry, after: 0, limit: 10)
        XCTAssertEqual(entries, [])
        telemetry.log("t", ["n": 6])
        await telemetry.close()
        telemetry = try await bench.open()
        telemetry.log("t", ["n": 7])
        bench.vault.unlock()
        bench.network.set(reachable: true)
        await telemetry.flush()
        XCTAssertEqual(bench.collector.numbers, [7], "the sixth could not be stored before the process ended")
        let names = try await bench.vault.names()
        XCTAssertFalse(names.contains("telemetry.key.1"))
    }

    func testAnErasureThatTheVaultInterruptedNeedsNoOtherEventToBeFinished() async throws {
        let bench = TelemetryBench()
        let telemetry = try await bench.open()
        try await telemetry.record(1...5)
        bench.vault.lock()
        try? await telemetry.erase()
        let interrupted = await telemetry.status()
        XCTAssertEqual(interrupted.why, .vaultUnavailable)
        bench.vault.unlock()
        try await telemetry.persist()
        let names = try await bench.vault.names()
        XCTAssertEqual(names, ["telemetry.erased.1"])
        let finished = await telemetry.status()
        XCTAssertNil(finished.why)
    }

    func testAnErasureThatTheVaultInterruptedIsTriedAgainBySelf() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        let telemetry = try await bench.open()
        try await telemetry.record(1...5)
        bench.vault.lock()
        try? await telemetry.erase()
        bench.vault.unlock()
        await bench.passTime(.seconds(1))
        _ = await telemetry.status { $0.why == nil }
        let names = try await bench.vault.names()
        XCTAssertEqual(names, ["telemetry.erased.1"])
    }

    func testWhatIsToBeErasedIsNeverSent() async throws {
        let bench = TelemetryBench()
        bench.network.set(reachable: false)
        try await bench.open().record(1...5)
        // As a process leaves it that dies at the beginning of an erasure.
        try await bench.journal.setValue(Array("1".utf8), named: "telemetry.erasing")
        bench.network.set(reachable: true)
        var telemetry = try await bench.open(journal: UnerasableJournal(base: bench.journal))
        let stuck = await telemetry.flush()
        XCTAssertEqual(stuck.status.why, .storeUnavailable)
        XCTAssertEqual(stuck.status.queued, 5)
        await telemetry.close()
        telemetry = try await bench.open()
        let report = await telemetry.flush()
        XCTAssertEqual(report.status.lost, [.consent: 5])
        XCTAssertEqual(bench.collector.batches.count, 0)
    }

    private func assertVaultIsUnavailable(line: UInt = #line, _ body: () async throws -> some Any) async {
        do {
            _ = try await body()
            XCTFail("nothing was thrown", line: line)
        } catch { XCTAssertEqual(error as? KeyVaultError, KeyVaultError(.unavailable), line: line) }
    }
}

/// Removes nothing, as on a disk that is too full even for that.
private struct UnerasableJournal: JournalWrapper {
    let base: any Journal

    func retireKeys(of stream: StreamName, below floor: KeyID) throws -> Set<KeyID> { throw QueueStoreError(.full) }
    func erase(_ stream: StreamName, reason: LossReason) throws -> Int { throw QueueStoreError(.full) }
}
