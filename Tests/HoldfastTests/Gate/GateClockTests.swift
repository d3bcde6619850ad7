import Holdfast
import HoldfastInMemory
import XCTest

final class GateClockTests: XCTestCase {
    func testEveryDecisionSaysHowFarTheClockCanBeTrusted() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let plain = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(plain.clock, .unanchored)
        try await gate.anchor(serverTime: GateBench.start + .seconds(2))
        let anchored = await gate.admit(try bench.ticket("T-2"))
        XCTAssertEqual(anchored.clock, .anchored)
        let restarted = try await bench.gate()
        XCTAssertEqual(restarted.clockConfidence, .anchored, "a restart of the process does not lose the anchor")
        bench.clock.setWall(GateBench.start + .minutes(1))
        let suspect = await gate.admit(try bench.ticket("T-3"))
        XCTAssertEqual(suspect.clock, .suspect)
        XCTAssertTrue(suspect.isAccepted, "the default is to flag")
        let records = try await bench.records()
        XCTAssertEqual(records.map(\.clock), [.unanchored, .anchored, .suspect])
    }

    func testAServersTimeThatAnotherProcessSawIsFollowed() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let other = try await bench.gate("south")
        try await other.anchor(serverTime: GateBench.start)
        try await gate.refreshConfiguration()
        XCTAssertEqual(gate.clockConfidence, .unanchored, "not at every scan")
        bench.clock.advance(by: .seconds(30))
        try await gate.refreshConfiguration()
        XCTAssertEqual(gate.clockConfidence, .anchored)
    }

    func testAClockSetBackAnHour() async throws {
        let bench = GateBench()
        var gate = try await bench.openGate { $0.onSuspectClock = .refuse }
        _ = await gate.admit(try bench.ticket("T-1"))
        bench.clock.setWall(GateBench.start - .minutes(30))
        for _ in 0..<2 {
            let decision = await gate.admit(try bench.ticket("T-2"))
            XCTAssertEqual(decision.reasons, [.clockUntrusted])
            gate = try await bench.gate { $0.onSuspectClock = .refuse }  // a restart does not wash it clean
        }
        try await gate.anchor(serverTime: GateBench.start)
        bench.clock.setWall(GateBench.start)
        let decision = await gate.admit(try bench.ticket("T-2"))
        XCTAssertTrue(decision.isAccepted, "nothing was consumed by the refusals")
    }

    func testThatATicketIsUsedIsToldBeforeWhatIsWrongWithTheGate() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let text = try bench.ticket("T-1", ["validFrom": "2026-05-01T00:00:00Z"])
        _ = await gate.admit(text)
        bench.clock.setWall(GateBench.start - .hours(1))
        let careful = try await bench.gate {
            $0.onSuspectClock = .refuse
            $0.maxConfigurationAge = .minutes(-90)
        }
        let used = await careful.admit(text)
        XCTAssertEqual(used.reasons, [.alreadyUsed, .clockUntrusted, .configStale])
        XCTAssertEqual(used.firstGate, "north")
        let unused = await careful.admit(try bench.ticket("T-2", ["validFrom": "2026-05-01T00:00:00Z"]))
        XCTAssertEqual(unused.reasons, [.clockUntrusted, .configStale])
    }

    func testAClockTenYearsAhead() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        bench.clock.setWall(GateBench.start + .days(3650))
        let decision = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(decision.reasons, [.expired])
        XCTAssertEqual(decision.clock, .suspect)
        bench.clock.setWall(GateBench.start)
        let after = await gate.admit(try bench.ticket("T-1"))
        XCTAssertTrue(after.isAccepted)
        XCTAssertEqual(after.clock, .unanchored, "a record made ten years ahead proves nothing")
    }

    func testHousekeepingUnderASuspectClockRemovesNothing() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let text = try bench.ticket("T-1")
        _ = await gate.admit(text)
        bench.clock.setWall(GateBench.start + .days(3650))
        await gate.sync { _ in }
        bench.clock.setWall(GateBench.start)
        let again = await gate.admit(text)
        XCTAssertEqual(again.reasons, [.alreadyUsed])
    }

    func testAfterARebootTheServersTimeIsAFloor() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        try await gate.anchor(serverTime: GateBench.start)
        bench.clock.reboot(after: .hours(1))
        let rebooted = try await bench.gate()
        XCTAssertEqual(rebooted.clockConfidence, .unanchored)
        bench.clock.setWall(GateBench.start - .hours(1))
        let behind = try await bench.gate()
        XCTAssertEqual(behind.clockConfidence, .suspect)
    }

    func testAClockThatIsMadeToStandStillIsSuspectOnlyToWhoeverWatches() async throws {
        for watches in [true, false] {
            let bench = GateBench()
            let gate = try await bench.openGate { $0.watchesClockDrift = watches }
            for minute in 1...3 {
                bench.clock.advance(by: .minutes(1))
                bench.clock.setWall(GateBench.start)
                let decision = await gate.admit(try bench.ticket("T-\(minute)"))
                XCTAssertEqual(decision.clock, watches ? .suspect : .unanchored)
            }
            bench.clock.setWall(GateBench.start - .minutes(1))
            XCTAssertEqual(gate.clockConfidence, .suspect, "behind the last record, whoever watches")
        }
    }

    func testAClockBehindTheMakingOfTheConfiguration() async throws {
        let bench = GateBench()
        let made = #""issuedAt": "\#(GateBench.start.rfc3339)""#
        var gate = try await bench.gate { $0.onSuspectClock = .refuse }
        try await gate.install(configuration: bench.configuration(more: made))
        XCTAssertEqual(gate.clockConfidence, .unanchored)
        for (behind, confidence) in [
            (Interval.seconds(10), ClockConfidence.unanchored), (.milliseconds(10_001), .suspect),
            (.days(3650), .suspect),
        ] {
            bench.clock.reboot()
            bench.clock.setWall(GateBench.start - behind)
            gate = try await bench.gate { $0.onSuspectClock = .refuse }
            XCTAssertEqual(gate.clockConfidence, confidence, "\(behind)")
        }
        let refused = await gate.admit(try bench.ticket("T-1", ["validFrom": "2000-01-01T00:00:00Z"]))
        XCTAssertTrue(refused.reasons.contains(.clockUntrusted))
        bench.clock.setWall(GateBench.start)
        gate = try await bench.gate { $0.onSuspectClock = .refuse }
        let accepted = await gate.admit(try bench.ticket("T-1"))
        XCTAssertTrue(accepted.isAccepted, "once it is right again, nothing is left of it")
    }

    func testAConfigurationMadeLaterThanTheClockSaysIsFollowedAtOnce() async throws {
        let bench = GateBench()
        let gate = try await bench.openGate()
        let made = #""issuedAt": "\#((GateBench.start + .days(1)).rfc3339)""#
        try await gate.install(configuration: bench.configuration(version: 2, more: made))
        XCTAssertEqual(gate.clockConfidence, .suspect)
    }

    func testAStaleConfiguration() async throws {
        let bench = GateBench()
        let gate = try await bench.gate { $0.maxConfigurationAge = .hours(2) }
        try await gate.install(configuration: bench.configuration())
        let fresh = await gate.admit(try bench.ticket("T-1"))
        XCTAssertTrue(fresh.isAccepted)
        bench.clock.advance(by: .hours(2) + .milliseconds(1))
        let stale = await gate.admit(try bench.ticket("T-2"))
        XCTAssertEqual(stale.reasons, [.configStale])
        let made = #""issuedAt": "\#((GateBench.start + .hours(2)).rfc3339)""#
        try await gate.install(configuration: bench.configuration(version: 2, more: made))
        let renewed = await gate.admit(try bench.ticket("T-2"))
        XCTAssertTrue(renewed.isAccepted)
    }
}
