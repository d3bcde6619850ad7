import Holdfast
import HoldfastInMemory
import XCTest

final class PresenceTests: XCTestCase {
    func testThirtyFramesAreOneAttempt() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let text = try bench.ticket("T-1")
        var decisions: [Decision] = []
        for _ in 0..<30 {
            decisions.append(await gate.admit(text))
            bench.clock.advance(by: .milliseconds(33))
        }
        XCTAssertEqual(Set(decisions.map(\.scanID)).count, 1)
        XCTAssertEqual(decisions.map(\.isRepeat), [false] + [Bool](repeating: true, count: 29))
        XCTAssertTrue(decisions.allSatisfy(\.isAccepted))
        let records = try await bench.records()
        XCTAssertEqual(records.count, 1)
    }

    func testOutOfViewForTheGapItIsANewAttempt() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let text = try bench.ticket("T-1")
        _ = await gate.admit(text)
        bench.clock.advance(by: .milliseconds(2999))
        let still = await gate.admit(text)
        XCTAssertTrue(still.isRepeat && still.isAccepted)
        bench.clock.advance(by: .seconds(3))
        let again = await gate.admit(text)
        XCTAssertFalse(again.isRepeat)
        XCTAssertEqual(again.reasons, [.alreadyUsed])
    }

    func testAnotherCodeIsDecidedAtOnceAndDenialsRepeatToo() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let bad = await gate.admit("nonsense")
        let badAgain = await gate.admit("nonsense")
        XCTAssertEqual(badAgain, bad.repeated)
        let good = await gate.admit(try bench.ticket("T-1"))
        XCTAssertTrue(good.isAccepted && !good.isRepeat)
        let records = try await bench.records()
        XCTAssertEqual(records.count, 2)
    }

    func testPresenceGoesByTheMonotonicClock() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let text = try bench.ticket("T-1")
        _ = await gate.admit(text)
        bench.clock.setWall(GateBench.start + .hours(1))
        let repeated = await gate.admit(text)
        XCTAssertTrue(repeated.isRepeat)
    }

    func testEachGateHasItsOwnView() async throws {
        let bench = GateBench()
        let north = try await bench.openGate { $0.presence = .seconds(3) }
        let south = try await bench.gate("south") { $0.presence = .seconds(3) }
        let text = try bench.ticket("T-1")
        _ = await north.admit(text)
        let other = await south.admit(text)
        XCTAssertEqual(other.reasons, [.alreadyUsed])
    }

    func testANewConfigurationIsANewLook() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let text = try bench.ticket("T-1")
        _ = await gate.admit(text)
        try await gate.install(configuration: bench.configuration(#""revoked": ["T-1"]"#, version: 2))
        let again = await gate.admit(text)
        XCTAssertEqual(again.reasons, [.revoked, .alreadyUsed])
    }

    func testWhatCouldNotBeRecordedIsTriedAgainAtOnce() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate { $0.presence = .seconds(3) }
        let text = try bench.ticket("T-1")
        await bench.journal.fail(with: QueueStoreError(.busy))
        let failed = await gate.admit(text)
        XCTAssertEqual(failed.reasons, [.cannotRecord])
        await bench.journal.fail(with: nil)
        let decision = await gate.admit(text)
        XCTAssertTrue(decision.isAccepted && !decision.isRepeat)
    }
}
