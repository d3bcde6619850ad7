import Holdfast
import HoldfastInMemory
import XCTest

final class UseTests: XCTestCase {
    private func admit(_ gate: TicketGate, _ texts: String...) async -> [[DenialCode]] {
        var reasons: [[DenialCode]] = []
        for text in texts { reasons.append(await gate.admit(text).reasons) }
        return reasons
    }

    func testTheTicketsOwnCountGoesBeforeTheConfigurations() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate(#""admission": {"entries": 2}"#)
        let usual = try bench.ticket("T-1")
        let results = await admit(gate, usual, usual, usual)
        XCTAssertEqual(results, [[], [], [.alreadyUsed]])
        let generous = try bench.ticket("T-2", ["entries": 3])
        let more = await admit(gate, generous, generous, generous, generous)
        XCTAssertEqual(more, [[], [], [], [.alreadyUsed]])
        let last = await gate.admit(generous)
        XCTAssertEqual(last.entries, 3)
    }

    func testExitsAndReentry() async throws {
        let bench = GateBench()
        let entry = try await bench.openGate(#""admission": {"reentry": true}"#)
        let exit = try await bench.gate("out", direction: .exit)
        let text = try bench.ticket("T-1")
        let early = await admit(exit, text)
        XCTAssertEqual(early, [[.notInside]])
        var results = await admit(entry, text, text)
        results += await admit(exit, text, text)
        results += await admit(entry, text, text)
        XCTAssertEqual(results, [[], [.alreadyUsed], [], [.notInside], [], [.alreadyUsed]])
        let records = try await bench.records()
        XCTAssertEqual(records.filter { $0.verdict == .accepted }.map(\.direction), [.entry, .exit, .entry])
        XCTAssertEqual(records.compactMap(\.use).map(\.entries), [1, 1, 1])
    }

    func testWithoutReentryAnExitDoesNotReopen() async throws {
        let bench = GateBench()
        let entry = try await bench.openGate()
        let exit = try await bench.gate("out", direction: .exit)
        let text = try bench.ticket("T-1")
        _ = await entry.admit(text)
        let out = await exit.admit(text)
        XCTAssertTrue(out.isAccepted)
        let back = await entry.admit(text)
        XCTAssertEqual(back.reasons, [.alreadyUsed])
    }

    func testSomebodyInsideMayLeaveAfterTheTicketHasExpired() async throws {
        let bench = GateBench()
        let entry = try await bench.openGate()
        let exit = try await bench.gate("out", direction: .exit)
        let text = try bench.ticket("T-1")
        _ = await entry.admit(text)
        bench.clock.advance(by: .hours(8))
        let out = await exit.admit(text)
        XCTAssertEqual(out.reasons, [])
    }

    func testOncePerDayByTheEventsCalendar() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate(#""admission": {"perDay": true}"#)
        let text = try bench.ticket("T-1", ["validTo": "2026-06-05T00:00:00Z"])
        bench.clock.setWall(try XCTUnwrap(Timestamp(rfc3339: "2026-06-01T20:59:59.999Z")))
        let first = await admit(gate, text, text)
        XCTAssertEqual(first, [[], [.alreadyUsed]])
        bench.clock.setWall(try XCTUnwrap(Timestamp(rfc3339: "2026-06-01T21:00:00Z")))
        let next = await admit(gate, text, text)
        XCTAssertEqual(next, [[], [.alreadyUsed]], "midnight in Kyiv, not in Greenwich")
        let records = try await bench.records()
        XCTAssertEqual(records.compactMap(\.use?.day).map(\.day), [1, 2])
    }

    func testAFullHouseOfGatesAgreesOnTheCount() async throws {
        let bench = GateBench()
        let north = try await bench.openGate(#""admission": {"entries": 2}"#)
        let south = try await bench.gate("south")
        let text = try bench.ticket("T-1")
        let results = [
            await north.admit(text), await south.admit(text), await north.admit(text), await south.admit(text),
        ]
        XCTAssertEqual(results.map(\.isAccepted), [true, true, false, false])
        XCTAssertEqual(results.map(\.entries), [1, 2, 2, 2])
        XCTAssertEqual(results.map(\.firstGate), ["north", "north", "north", "north"])
    }
}
