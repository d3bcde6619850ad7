import Holdfast
import HoldfastInMemory
import XCTest

final class AdmissionTests: XCTestCase {
    func testAGoodTicketIsAcceptedOnceAndRecorded() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let text = try bench.ticket("T-1")
        let first = await gate.admit(text)
        XCTAssertEqual(first.reasons, [])
        XCTAssertEqual(first.sequence, 1)
        XCTAssertEqual(first.ticket?.ticketID, "T-1")
        bench.clock.advance(by: .minutes(5))
        let second = await gate.admit(text)
        XCTAssertEqual(second.reasons, [.alreadyUsed])
        XCTAssertEqual(second.firstUsedAt, GateBench.start)
        XCTAssertEqual(second.firstGate, "north")
        XCTAssertEqual(second.entries, 1)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.verdict), [.accepted, .denied])
        XCTAssertEqual(records.map(\.sequence), [1, 2])
    }
}
