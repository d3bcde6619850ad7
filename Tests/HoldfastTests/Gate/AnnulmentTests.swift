import Holdfast
import HoldfastInMemory
import XCTest

final class AnnulmentTests: XCTestCase {
    private static func failure(_ gate: TicketGate, _ scanID: EntryID) async -> GateFailure.Code? {
        do { try await gate.annul(scanID) } catch { return (error as? GateFailure)?.code }
        return nil
    }

    func testAnAnnulledAdmissionFreesTheTicketAndStaysOnRecord() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let text = try bench.ticket("T-1")
        let first = await gate.admit(text)
        let record = try await gate.annul(first.scanID)
        XCTAssertEqual(record.annuls, first.scanID)
        XCTAssertEqual(record.verdict, .annulled)
        XCTAssertNil(record.use)
        let again = await gate.admit(text)
        XCTAssertTrue(again.isAccepted && !again.isRepeat)
        XCTAssertEqual(again.entries, 1)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.verdict), [.accepted, .annulled, .accepted])
        XCTAssertEqual(records[1].ticketID, "T-1")
    }

    func testAnEarlierAdmissionCanBeTakenBackToo() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate(#""admission": {"entries": 2}"#)
        let text = try bench.ticket("T-1")
        let first = await gate.admit(text)
        bench.clock.advance(by: .hours(1))
        let second = await gate.admit(text)
        for index in 0..<600 { _ = await gate.admit("filler \(index)") }
        try await gate.annul(first.scanID)
        let third = await gate.admit(text)
        XCTAssertTrue(third.isAccepted)
        XCTAssertEqual(third.entries, 2)
        XCTAssertEqual(third.firstUsedAt, GateBench.start + .hours(1))
        let full = await gate.admit(text)
        XCTAssertEqual(full.reasons, [.alreadyUsed])
        try await gate.annul(second.scanID)
        try await gate.annul(third.scanID)
        let fresh = await gate.admit(text)
        XCTAssertEqual(fresh.entries, 1)
    }

    func testAnExitCanBeTakenBack() async throws {
        let bench = GateBench()
        let entry = try await bench.openGate(#""admission": {"reentry": true}"#)
        let exit = try await bench.gate("out", direction: .exit)
        let text = try bench.ticket("T-1")
        _ = await entry.admit(text)
        let out = await exit.admit(text)
        try await entry.annul(out.scanID)
        let back = await entry.admit(text)
        XCTAssertEqual(back.reasons, [.alreadyUsed], "the holder never left")
    }

    func testWhatCannotBeAnnulled() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let text = try bench.ticket("T-1")
        let first = await gate.admit(text)
        let denied = await gate.admit(text)
        let record = try await gate.annul(first.scanID)
        let again = await Self.failure(gate, first.scanID)
        let ofDenial = await Self.failure(gate, denied.scanID)
        let ofAnnulment = await Self.failure(gate, record.scanID)
        let ofNothing = await Self.failure(gate, EntryID(high: 1, low: 2))
        XCTAssertEqual(again, .alreadyAnnulled)
        XCTAssertEqual([ofDenial, ofAnnulment, ofNothing], [.noSuchAdmission, .noSuchAdmission, .noSuchAdmission])
    }

    func testOneOfTwoSupervisorsWins() async throws {
        let bench = GateBench()
        let gates = [try await bench.openGate(), try await bench.gate("south")]
        let first = await gates[0].admit(try bench.ticket("T-1"))
        let codes = await withTaskGroup(of: GateFailure.Code?.self) { group in
            for index in 0..<8 { group.addTask { await Self.failure(gates[index % 2], first.scanID) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(codes.filter { $0 == nil }.count, 1)
        XCTAssertEqual(codes.filter { $0 == .alreadyAnnulled }.count, 7)
    }
}
