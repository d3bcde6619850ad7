import Holdfast
import HoldfastInMemory
import XCTest

final class ConcurrentAdmissionTests: XCTestCase {
    private func admit(_ text: String, times: Int, at gates: [TicketGate]) async -> [Decision] {
        await withTaskGroup(of: Decision.self) { group in
            for index in 0..<times {
                group.addTask { await gates[index % gates.count].admit(text) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    func testOneTicketSixtyFourTimesAtOneGate() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let decisions = await admit(try bench.ticket("T-1"), times: 64, at: [gate])
        XCTAssertEqual(decisions.filter(\.isAccepted).count, 1)
        XCTAssertEqual(decisions.filter { $0.reasons == [.alreadyUsed] }.count, 63)
        XCTAssertEqual(Set(decisions.map(\.scanID)).count, 64)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.sequence), Array(1...64))
        XCTAssertEqual(records.filter { $0.verdict == .accepted }.count, 1)
    }

    func testOneTicketSixtyFourTimesAtTwoGates() async throws {
        let bench = GateBench()
        let gates = [try await bench.openGate(), try await bench.gate("south")]
        let decisions = await admit(try bench.ticket("T-1"), times: 64, at: gates)
        XCTAssertEqual(decisions.filter(\.isAccepted).count, 1)
        XCTAssertTrue(decisions.allSatisfy(\.isRecorded))
        let records = try await bench.records()
        XCTAssertEqual(records.count, 64)
    }

    func testATicketOfFiveEntries() async throws {
        let bench = GateBench()
        let gates = [try await bench.openGate(#""admission": {"entries": 5}"#), try await bench.gate("south")]
        let decisions = await admit(try bench.ticket("T-1"), times: 64, at: gates)
        XCTAssertEqual(decisions.filter(\.isAccepted).compactMap(\.entries).sorted(), [1, 2, 3, 4, 5])
        XCTAssertEqual(decisions.filter { $0.reasons == [.alreadyUsed] }.count, 59)
    }

    func testFramesOfOneCodeShareOneDecision() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let decisions = await admit(try bench.ticket("T-1"), times: 64, at: [gate])
        XCTAssertTrue(
            decisions.allSatisfy(\.isAccepted),
            "a frame must not turn the light red that the first turned green"
        )
        XCTAssertEqual(decisions.filter { !$0.isRepeat }.count, 1)
        XCTAssertEqual(Set(decisions.map(\.scanID)).count, 1)
        let records = try await bench.records()
        XCTAssertEqual(records.count, 1)
    }

    func testManyTicketsAtOnce() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let texts = try (0..<100).map { try bench.ticket("T-\($0)") }
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for text in texts + texts { group.addTask { await gate.admit(text).isAccepted } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        XCTAssertEqual(accepted, 100)
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.sequence), Array(1...200))
    }

    func testADamagedSourceOfRandomnessCostsNoRecord() async throws {
        let bench = GateBench()
        let first = try await bench.openGate()
        _ = await first.admit("nonsense")
        var ports = bench.ports
        ports.random = SeededRandom(seed: 1)
        let place = GatePlace(event: "EV1", zone: "GA", gate: "twin")
        let twin = try await TicketGate(at: place, ports: ports)
        for text in ["more nonsense", try bench.ticket("T-1"), "and more"] { _ = await twin.admit(text) }
        let records = try await bench.records()
        XCTAssertEqual(records.count, 4)
        XCTAssertEqual(Set(records.map(\.scanID)).count, 4)
    }
}
