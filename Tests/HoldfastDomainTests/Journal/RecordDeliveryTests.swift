import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Records on their way to a back end.
final class RecordDeliveryTests: XCTestCase {
    private let rig = JournalRig(stream: .gate)
    private let policy = CourierPolicy(keepsDelivered: true, rejection: .isolateOrHold(tries: 16))

    private func courier(_ sender: any BatchSender) -> Courier { rig.courier(RecordDelivery(to: sender), policy) }

    func testRecordsArriveWithTheNumbersOfTheirStream() async throws {
        let records = try await rig.appendRecords(3)
        let sender = ScriptedBatchSender()
        let (report, end) = await courier(sender).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 3))
        XCTAssertEqual(end, .idle)
        XCTAssertEqual(sender.batches.count, 1)
        XCTAssertEqual(sender.batches[0].map(\.scanID), records.map(\.scanID))
        XCTAssertEqual(sender.batches[0].map(\.sequence), [1, 2, 3])
        let states = try await rig.states()
        XCTAssertEqual(Set(states.values), [.delivered])
    }

    func testEachRecordHasItsOwnOutcomeAndARejectedOneHoldsNobodyUp() async throws {
        let ids = try await rig.appendRecords(5).map(\.scanID)
        let stranger = EntryID(high: 1, low: 1)
        let sender = ScriptedBatchSender([
            .answer(
                .handled([
                    ids[0]: .rejected(reason: "was cancelled"), ids[1]: .duplicate, ids[2]: .retryLater,
                    ids[3]: .accepted, stranger: .rejected(reason: "who?"),
                ])
            )
        ])
        let (report, end) = await courier(sender).drain()
        let expected = DeliveryReport(delivered: 3, duplicates: 1, deadLettered: [.rejected: 1], retried: 1)
        XCTAssertEqual(report, expected)
        XCTAssertEqual(end, .waiting(for: .seconds(30), .deferred))
        rig.clock.advance(by: .seconds(30))
        _ = await courier(sender).drain()
        XCTAssertEqual(sender.batches.map(\.count), [5, 1])
        let entries = try await rig.entries()
        let note = try await rig.sealer().openNote(of: entries[0])
        XCTAssertEqual(note.map { String(decoding: $0, as: UTF8.self) }, "was cancelled")
        // The gate's own verdict stays as it was.
        let payload = try await rig.sealer().open(entries[0])
        XCTAssertEqual(GateRecord(json: payload)?.verdict, .accepted)
    }

    func testEveryAnswerForAWholeBatchKeepsTheRecords() async throws {
        try await rig.appendRecords(2)
        let cases: [(ScriptedBatchSender.Step, CourierStep?)] = [
            (.answer(.unauthorised), .held(.unauthorised)),
            (.answer(.held(.refused)), .held(.refused)),
            (.answer(.failed(retryAfter: .seconds(60))), .waiting(for: .seconds(60), .serverWait)),
            (.failure(TransportError(.invalidRequest)), .held(.invalidRequest)),
            (.failure(TransportError(.cancelled)), .held(.interrupted)),
            (.failure(CancellationError()), .held(.interrupted)),
            (.failure(TransportError(.timedOut)), nil),
            (.answer(.failed(retryAfter: nil)), nil), (.answer(.serverFault), nil),
        ]
        for (answer, expected) in cases {
            let step = await courier(ScriptedBatchSender([answer])).step()
            if let expected {
                XCTAssertEqual(step, expected)
            } else {
                guard case .waiting(_, .backoff) = step else { return XCTFail("\(step)") }
            }
            let queued = try await rig.store.statistics(.gate).queued
            XCTAssertEqual(queued, 2)
            rig.clock.advance(by: .minutes(5))
        }
        let step = await courier(ScriptedBatchSender()).step()
        XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 2)))
    }

    func testABatchThatIsTooLargeOrHoldsABadRecordIsCut() async throws {
        let ids = try await rig.appendRecords(20).map(\.scanID)
        let sender = ScriptedBatchSender(
            afterwards: .reply { records in
                if records.count > 8 { return .tooLarge }
                return records.contains { $0.scanID == ids[5] } ? .rejected(reason: "400 no") : .handled()
            }
        )
        let (report, end) = await courier(sender).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 19, deadLettered: [.rejected: 1]))
        XCTAssertEqual(end, .idle)
    }

    func testAPayloadThatIsNoRecordIsSetAside() async throws {
        try await rig.append(["{}", "nonsense"])
        var foreign = try await rig.appendRecords(1)[0]
        foreign.scanID = EntryID(high: 9, low: 9)
        try await rig.append([String(decoding: foreign.json, as: UTF8.self)])
        let sender = ScriptedBatchSender()
        let (report, _) = await courier(sender).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 1, deadLettered: [.invalid: 3]))
        XCTAssertEqual(sender.batches.map(\.count), [1])
    }

    func testALongReasonIsCutBetweenCharacters() async throws {
        for (reason, kept) in [
            ("", nil), ("ü", "ü"), (String(repeating: "a", count: 2000), String(repeating: "a", count: 1024)),
            (String(repeating: "é", count: 700), String(repeating: "é", count: 511)),
            (String(repeating: "€", count: 700), String(repeating: "€", count: 341)),
            (String(repeating: "😀", count: 700), String(repeating: "😀", count: 255)),
        ] as [(String, String?)] {
            let record = try await rig.appendRecords(1)[0]
            let sender = ScriptedBatchSender([.answer(.handled([record.scanID: .rejected(reason: reason)]))])
            _ = await courier(sender).drain()
            let entries = try await rig.entries()
            let entry = try XCTUnwrap(entries.last)
            let note = try await rig.sealer().openNote(of: entry)
            XCTAssertEqual(note.map { String(decoding: $0, as: UTF8.self) }, kept)
        }
    }

    func testAClosureIsEnough() async throws {
        let ids = try await rig.appendRecords(2).map(\.scanID)
        let (report, _) = await courier(
            ClosureSender { records in .handled([records[0].scanID: .duplicate]) }
        ).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 2, duplicates: 1))
        XCTAssertEqual(ids.count, 2)
    }
}

extension JournalRig {
    /// Seals and appends records of admissions.
    @discardableResult
    func appendRecords(_ count: Int) async throws -> [GateRecord] {
        let ring = ring()
        let key = try await ring.current()
        let place = GatePlace(event: "EV1", zone: "GA", gate: "north")
        let records = (0..<count).map { number in
            var record = GateRecord(scanID: EntryID(random: random), place: place, at: clock.now())
            record.ticketID = "T-\(number)"
            return record
        }
        let drafts = try records.map { record in
            Draft(
                id: record.scanID,
                stream: stream,
                recordedAt: record.at.wall,
                keyID: key.id,
                sealed: try sealer(ring).seal(record.json, id: record.scanID, with: key)
            )
        }
        _ = try await store.append(drafts, durability: .powerLoss)
        return records
    }
}
