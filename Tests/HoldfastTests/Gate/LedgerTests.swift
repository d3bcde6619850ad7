import Holdfast
import HoldfastInMemory
import XCTest

/// What is written with an attempt, and what becomes of one that is written late or twice.
final class LedgerTests: XCTestCase {
    private let bench = GateBench()

    private func ledger(random: (any RandomSource)? = nil) -> AdmissionLedger {
        var ports = bench.ports
        if let random { ports.random = random }
        let ring = KeyRing(stream: .gate, vault: bench.vault, random: bench.random)
        let hasher = SubjectHasher(
            vault: bench.vault,
            journal: bench.journal,
            digest: SoftwareDigest(),
            random: bench.random
        )
        return AdmissionLedger(ports: ports, ring: ring, hasher: hasher, durability: .powerLoss)
    }

    private func record(
        _ id: UInt64 = 1,
        direction: GateRecord.Direction = .entry,
        reasons: [DenialCode] = []
    ) -> GateRecord {
        let place = GatePlace(event: "EV1", zone: "GA", gate: "late", direction: direction)
        let scanID = EntryID(high: 0, low: id)
        return GateRecord(scanID: scanID, reasons: reasons, place: place, at: bench.clock.now())
    }

    private let admission = AdmissionLedger.Admission(
        event: "EV1",
        ticket: "T-1",
        rule: UseRule(),
        keepUntil: .distantFuture
    )

    // MARK: Until when a use is remembered

    private func kept() async throws -> [Timestamp?] {
        try await bench.journal.entries(.gate, after: 0, limit: 10).map(\.draft.keepUntil)
    }

    func testAUseAndItsAnnulmentAreKeptAsLongAsTheTicketMayOpenAGate() async throws {
        let gate = try await bench.gate { $0.keepDeliveredFor = .zero }
        let tolerance = #""tolerance": {"before": 600, "after": 60}"#
        try await gate.install(configuration: bench.configuration(more: tolerance))
        let first = await gate.admit(try bench.ticket("T-1"))
        try await gate.annul(first.scanID)
        _ = await gate.admit(try bench.ticket("T-1"))
        _ = await gate.admit(try bench.ticket("T-1"))
        let end = try XCTUnwrap(Timestamp(rfc3339: "2026-06-01T23:01:00Z"))
        let times = try await kept()
        XCTAssertEqual(times, [end, end, end, nil], "a denial is no use")
        await gate.sync { _ in }
        bench.clock.advance(by: end - GateBench.start - .milliseconds(1))
        try await gate.keepHouse()
        let last = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(last.reasons, [.alreadyUsed], "in the last millisecond")
        bench.clock.advance(by: .milliseconds(1))
        try await gate.keepHouse()
        let left = try await kept()
        XCTAssertEqual(left, [nil], "what is left was not handed over yet")
    }

    func testAUseWithoutAnEndIsKeptForEver() async throws {
        let judge = TicketJudge(configuration: nil, place: GatePlace(event: "EV1", zone: "GA"))
        let ticket = Ticket(id: "T", event: "EV1", signature: [], signedBytes: [])
        XCTAssertEqual(judge.keepUntil(TicketClaims(ticket)), .distantFuture)
    }

    // MARK: Written twice

    func testAnAttemptThatIsRestoredTwiceIsThereOnce() async throws {
        let ledger = ledger()
        for _ in 0..<3 {
            try await ledger.restore(record(1), as: admission)
            try await ledger.restore(record(2, reasons: [.expired, .cannotRecord]), as: nil)
        }
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.scanID.low), [1, 2])
        let standing = try await ledger.standing(of: admission)
        XCTAssertEqual(standing.use?.entries, 1)
    }

    func testANewAttemptWhoseIdIsThereAlreadyGetsAnother() async throws {
        let random = StuckRandom(times: 2)
        let first = try await ledger().note(record(reasons: [.expired], id: EntryID(random: StuckRandom(times: 9))))
        let stuck = ledger(random: random)
        let second = try await stuck.note(record(reasons: [.expired], id: first.scanID))
        let third = try await stuck.admit(record(id: first.scanID), as: admission).record
        XCTAssertEqual(Set([first, second, third].map(\.scanID)).count, 3)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.scanID), [first.scanID, second.scanID, third.scanID])
        XCTAssertEqual(records.map(\.verdict), [.denied, .denied, .accepted])
    }

    func testAnAnnulmentWhoseIdIsThereAlreadyGetsAnother() async throws {
        let taken = EntryID(random: StuckRandom(times: 9))
        let admitted = try await ledger().admit(record(id: taken), as: admission).record
        let annulment = try await ledger(random: StuckRandom(times: 2)).annul(
            taken,
            at: GatePlace(event: "", zone: ""),
            now: bench.clock.now(),
            clock: .unanchored,
            configurationVersion: nil
        )
        XCTAssertNotEqual(annulment.scanID, admitted.scanID)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.scanID), [admitted.scanID, annulment.scanID])
    }

    // MARK: Written late

    func testARestoredAttemptKeepsItsVerdict() async throws {
        let ledger = ledger()
        _ = try await ledger.admit(record(1), as: admission)
        try await ledger.restore(record(2), as: admission)
        try await ledger.restore(record(3, reasons: [.alreadyUsed, .cannotRecord]), as: nil)
        let other = AdmissionLedger.Admission(
            event: "EV1",
            ticket: "T-2",
            rule: UseRule(),
            keepUntil: .distantFuture
        )
        // Somebody who was let out, though nothing says that they ever came in.
        try await ledger.restore(record(4, direction: .exit), as: other)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.verdict), [.accepted, .accepted, .denied, .accepted])
        XCTAssertEqual(records.map(\.reasons), [[], [], [.alreadyUsed, .cannotRecord], []])
        XCTAssertEqual(records.map(\.use?.entries), [1, 2, nil, nil])
        XCTAssertEqual(records.map(\.gate), ["late", "late", "late", "late"])
    }

    private func record(reasons: [DenialCode] = [], id: EntryID) -> GateRecord {
        var record = record(reasons: reasons)
        record.scanID = id
        return record
    }
}

/// A source that gives the same numbers some times before it comes to itself.
// The count is read and written under the lock.
private final class StuckRandom: RandomSource, @unchecked Sendable {
    private let seeded = SeededRandom(seed: 5)
    private let lock = NSLock()
    private var times: Int

    init(times: Int) { self.times = times }

    func bytes(_ count: Int) -> [UInt8] { isStuck() ? [UInt8](repeating: 7, count: count) : seeded.bytes(count) }

    func next() -> UInt64 { isStuck() ? 7 : seeded.next() }

    private func isStuck() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        times -= 1
        return times >= 0
    }
}
