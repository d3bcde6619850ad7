import HoldfastDomain
import XCTest

final class ClockWitnessTests: XCTestCase {
    private let wall = Timestamp(milliseconds: 1_780_000_000_000)
    private let boot = BootID("one")

    private func reading(_ wall: Interval, _ uptime: Interval, boot: String = "one") -> ClockReading {
        ClockReading(wall: self.wall + wall, uptime: .hours(5) + uptime, boot: BootID(boot))
    }

    private func witness(anchor: ClockAnchor? = nil, newest: Interval? = nil) -> ClockWitness {
        ClockWitness(
            started: reading(.zero, .zero),
            tolerance: .seconds(10),
            anchor: anchor,
            newestRecord: newest.map { wall + $0 }
        )
    }

    func testWithoutAServerAClockIsUnanchored() {
        XCTAssertEqual(witness().confidence(at: reading(.hours(3), .hours(3))), .unanchored)
        XCTAssertEqual(witness(newest: .zero).confidence(at: reading(.hours(3), .hours(3))), .unanchored)
    }

    func testDriftAgainstTheMonotonicClock() {
        let witness = witness()
        for sign: Int64 in [-1, 1] {
            let near = Interval.hours(1) + .milliseconds(10_000 * sign)
            let far = Interval.hours(1) + .milliseconds(10_001 * sign)
            XCTAssertEqual(witness.confidence(at: reading(near, .hours(1))), .unanchored)
            XCTAssertEqual(witness.confidence(at: reading(far, .hours(1))), .suspect)
        }
    }

    func testBehindTheLastRecord() {
        let witness = witness(newest: .hours(2))
        XCTAssertEqual(witness.confidence(at: reading(.hours(1), .hours(1))), .suspect)
        let caughtUp = Interval.hours(2) - .seconds(10)
        XCTAssertEqual(witness.confidence(at: reading(caughtUp, caughtUp)), .unanchored)
    }

    func testBehindTheConfiguration() {
        var witness = witness()
        witness.configurationMade = wall + .hours(2)
        XCTAssertEqual(witness.confidence(at: reading(.hours(1), .hours(1))), .suspect)
        let caughtUp = Interval.hours(2) - .seconds(10)
        XCTAssertEqual(witness.confidence(at: reading(caughtUp, caughtUp)), .unanchored)
        witness.anchor = ClockAnchor(server: wall, seenAt: reading(.zero, .zero))
        XCTAssertEqual(witness.confidence(at: reading(.hours(1), .hours(1))), .anchored, "a server knows better")
    }

    func testRecordsUnderASuspectClockProveNothing() {
        var witness = witness()
        let tenYears = Interval.days(3650)
        witness.noteRecord(at: reading(tenYears, .seconds(1)), confidence: .suspect)
        XCTAssertEqual(witness.confidence(at: reading(.seconds(2), .seconds(2))), .unanchored)
        witness.noteRecord(at: reading(.hours(1), .hours(1)), confidence: .unanchored)
        witness.noteRecord(at: reading(.seconds(1), .seconds(1)), confidence: .unanchored)
        XCTAssertEqual(witness.newestRecord, wall + .hours(1))
    }

    func testAServerInThisBootIsTheTruth() {
        let anchor = ClockAnchor(server: wall + .seconds(3), seenAt: reading(.zero, .minutes(1)))
        let witness = witness(anchor: anchor, newest: .days(3650))
        XCTAssertEqual(witness.confidence(at: reading(.hours(1), .hours(1) + .minutes(1))), .anchored)
        XCTAssertEqual(witness.confidence(at: reading(.hours(2), .hours(1) + .minutes(1))), .suspect)
        XCTAssertEqual(witness.confidence(at: reading(.zero, .hours(1) + .minutes(1))), .suspect)
    }

    func testAServerOfAnEarlierBootIsAFloor() {
        let anchor = ClockAnchor(server: wall, seenAt: reading(.zero, .zero, boot: "zero"))
        XCTAssertEqual(witness(anchor: anchor).confidence(at: reading(.hours(1), .hours(1))), .unanchored)
        let old = ClockReading(wall: wall - .hours(1), uptime: .zero, boot: boot)
        let restarted = ClockWitness(started: old, tolerance: .seconds(10), anchor: anchor)
        XCTAssertEqual(restarted.confidence(at: old), .suspect)
        let within = ClockReading(wall: wall - .seconds(10), uptime: .zero, boot: boot)
        XCTAssertEqual(restarted.confidence(at: within), .suspect, "it has drifted")
        let steady = ClockWitness(started: within, tolerance: .seconds(10), anchor: anchor)
        XCTAssertEqual(steady.confidence(at: within), .unanchored)
    }

    func testHostileClocksDoNotTrap() {
        let extremes = [Timestamp.distantPast, .distantFuture]
        for start in extremes {
            for now in extremes {
                let started = ClockReading(wall: start, uptime: Interval(milliseconds: .min), boot: boot)
                let reading = ClockReading(wall: now, uptime: Interval(milliseconds: .max), boot: boot)
                let anchor = ClockAnchor(server: start, seenAt: started)
                _ = ClockWitness(started: started, tolerance: .seconds(10), anchor: anchor).confidence(at: reading)
                let witness = ClockWitness(started: started, tolerance: .seconds(10), newestRecord: start)
                _ = witness.confidence(at: reading)
            }
        }
    }

    func testAnchorsSurviveAsBytes() {
        let anchor = ClockAnchor(server: wall, seenAt: reading(.zero, .zero, boot: "a boot with spaces"))
        XCTAssertEqual(ClockAnchor(bytes: anchor.bytes), anchor)
        for garbage in ["", "1", "1 2", "x 2 b", "1 y b", "99999999999999999999 2 b"] {
            XCTAssertNil(ClockAnchor(bytes: Array(garbage.utf8)), garbage)
        }
    }
}
