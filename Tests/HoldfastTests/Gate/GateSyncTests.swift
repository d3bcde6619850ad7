import Holdfast
import HoldfastInMemory
import XCTest

final class GateSyncTests: XCTestCase {
    func testEverythingIsHandedOverOnceInOrder() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.maxBatchCount = 3 }
        for index in 0..<10 { _ = await gate.admit(try bench.ticket("T-\(index)")) }
        let sender = ScriptedBatchSender()
        let report = await gate.sync(via: sender)
        XCTAssertEqual(report.delivered, 10)
        XCTAssertTrue(report.isComplete)
        XCTAssertEqual(sender.batches.map(\.count), [3, 3, 3, 1])
        XCTAssertEqual(sender.batches.flatMap { $0 }.map(\.sequence), Array(1...10))
        let again = await gate.sync(via: sender)
        XCTAssertEqual(again.delivered, 0)
        let stored = try await gate.records()
        XCTAssertEqual(Set(stored.map(\.state)), [.delivered])
        let used = await gate.admit(try bench.ticket("T-3"))
        XCTAssertEqual(used.reasons, [.alreadyUsed], "handing over forgets nothing")
    }

    func testTheServersWordsStandBesideTheGatesVerdict() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let accepted = await gate.admit(try bench.ticket("T-1"))
        _ = await gate.admit(try bench.ticket("T-2"))
        let report = await gate.sync { records in
            .handled([records[0].scanID: .rejected(reason: "was cancelled"), records[1].scanID: .duplicate])
        }
        XCTAssertEqual(report.setAside, [.rejected: 1])
        XCTAssertEqual(report.duplicates, 1)
        let stored = try await gate.records()
        XCTAssertEqual(stored.map(\.state), [.rejected(reason: "was cancelled"), .delivered])
        XCTAssertEqual(stored[0].record?.verdict, .accepted)
        XCTAssertEqual(stored[0].record?.at, accepted.at)
        let json = try JSONValue.parse(stored[0].json)
        XCTAssertEqual(json["state"]?.stringValue, "rejected")
        XCTAssertEqual(json["stateReason"]?.stringValue, "was cancelled")
        XCTAssertEqual(json["decision"]?.stringValue, "accepted")
        let status = try await gate.status()
        XCTAssertEqual([status.queued, status.delivered, status.setAside], [0, 1, 1])
    }

    func testWhenNothingArrivesNothingIsLost() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        _ = await gate.admit(try bench.ticket("T-1"))
        struct Offline: Error {}
        let failed = await gate.sync { _ in throw Offline() }
        XCTAssertEqual(failed.obstacle, .backoff)
        XCTAssertNotNil(failed.wait)
        let refused = await gate.sync(via: ScriptedBatchSender([.answer(.unauthorised)]), ignoringBackOff: true)
        XCTAssertEqual(refused.obstacle, .unauthorised)
        let status = try await gate.status()
        XCTAssertEqual(status.queued, 1)
        bench.clock.advance(by: .hours(1))
        let report = await gate.sync { _ in }
        XCTAssertEqual(report.delivered, 1)
    }

    func testAClosureNeedNotSayWhichKindItIs() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        @Sendable func takeAll(_ records: [GateRecord]) async throws -> Int { records.count }
        @Sendable func answer(_ records: [GateRecord]) async throws -> BatchAnswer { .unauthorised }
        _ = await gate.admit(try bench.ticket("T-1"))
        let refused = await gate.sync { records in try await answer(records) }
        XCTAssertEqual(refused.obstacle, .unauthorised, "what it answers is not passed over")
        let held = await gate.sync { records in
            let count = try await takeAll(records)
            if count == 1 { return .held(.redirected) }
            return .handled()
        }
        XCTAssertEqual(held.obstacle, .redirected)
        let taken = await gate.sync { records in
            let count = try await takeAll(records)
            XCTAssertEqual(count, 1)
        }
        XCTAssertEqual(taken.delivered, 1)
    }

    func testFiveHundredScansSurviveARestart() async throws {
        let bench = GateBench()
        do {
            let gate = try await bench.openGate()
            for index in 0..<500 { _ = await gate.admit(try bench.ticket("T-\(index % 400)")) }
        }
        let gate = try await bench.gate()
        let status = try await gate.status()
        XCTAssertEqual(status.queued, 500)
        XCTAssertEqual(status.lastSequence, 500)
        let sender = ScriptedBatchSender()
        await gate.sync(via: sender)
        XCTAssertEqual(Set(sender.batches.flatMap { $0 }.map(\.scanID)).count, 500)
    }

    func testTheMemoryOfAUseLastsAsLongAsTheTicket() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.keepDeliveredFor = .zero }
        let (short, long) = (try bench.ticket("T-1"), try bench.ticket("T-2", ["validTo": "2026-07-01T00:00:00Z"]))
        let endless = try bench.ticket("T-3", ["validTo": "9999-01-01T00:00:00Z"])
        for text in [short, long, endless, "nonsense"] { _ = await gate.admit(text) }
        await gate.sync { _ in }
        var kept = try await gate.records()
        XCTAssertEqual(kept.compactMap(\.record?.ticketID), ["T-1", "T-2", "T-3"])
        bench.clock.advance(by: .days(2))
        try await gate.keepHouse()
        kept = try await gate.records()
        XCTAssertEqual(kept.compactMap(\.record?.ticketID), ["T-2", "T-3"])
        let again = await gate.admit(long)
        XCTAssertEqual(again.reasons, [.alreadyUsed])
        bench.clock.advance(by: .days(365))
        try await gate.keepHouse()
        kept = try await gate.records()
        XCTAssertEqual(kept.map(\.record?.ticketID), ["T-3", "T-2"], "what was not handed over is never removed")
    }

    func testRecordsThatNoLongerOpenDoNotStopTheOthers() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        _ = await gate.admit(try bench.ticket("T-1"))
        let old = try await bench.vault.names().filter { $0.contains("gate") }
        try await gate.rotateKey()
        _ = await gate.admit(try bench.ticket("T-2"))
        for name in old { try await bench.vault.remove(named: name) }
        let restarted = try await bench.gate()
        let records = try await restarted.records()
        XCTAssertEqual(records.map(\.record?.ticketID), [nil, "T-2"])
        XCTAssertEqual(try JSONValue.parse(records[0].json)["scanId"]?.stringValue, records[0].scanID.description)
        let report = await restarted.sync { _ in }
        XCTAssertEqual(report.delivered, 1)
        XCTAssertEqual(report.setAside, [.undecryptable: 1])
    }

    func testAnEmptiedVaultIsNoticed() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        for index in 0..<3 { _ = await gate.admit(try bench.ticket("T-\(index)")) }
        for name in try await bench.vault.names() { try await bench.vault.remove(named: name) }
        let status = try await bench.gate().status()
        XCTAssertEqual(status.lostRecords, 3)
        XCTAssertEqual(bench.diagnostics.events.filter { $0.code == .keysLost }.map(\.count), [3])
        let before = try await gate.status()
        XCTAssertEqual(before.lostRecords, 0)
    }

    func testKeysRotateWithoutLosingTheMemoryOfUse() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let texts = try (0..<4).map { try bench.ticket("T-\($0)") }
        for text in texts {
            _ = await gate.admit(text)
            try await gate.rotateKey()
        }
        try await gate.keepHouse()
        let unopened = try await gate.resealRecords()
        XCTAssertEqual(unopened, 0)
        let counts = try await bench.journal.statistics(.gate)
        XCTAssertEqual(counts.entriesByKey.count, 1)
        let restarted = try await bench.gate()
        for text in texts {
            let decision = await restarted.admit(text)
            XCTAssertEqual(decision.reasons, [.alreadyUsed])
        }
    }
}
