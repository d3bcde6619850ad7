import HoldfastDomain
import XCTest

final class RetryStateTests: XCTestCase {
    private func reading(wall: Int64, uptime: Int64, boot: String = "a") -> ClockReading {
        ClockReading(wall: Timestamp(milliseconds: wall), uptime: .seconds(uptime), boot: BootID(boot))
    }

    private func state(boot: String = "a") -> RetryState {
        RetryState(
            failures: 3,
            notBefore: reading(wall: 1_060_000, uptime: 160, boot: boot),
            wait: .seconds(60),
            isOrdered: true
        )
    }

    func testWithinOneBootOnlyTheUptimeCounts() {
        for wall: Int64 in [1_000_000, .min, .max, 0] {
            XCTAssertEqual(state().remaining(at: reading(wall: wall, uptime: 100)), .seconds(60))
            XCTAssertEqual(state().remaining(at: reading(wall: wall, uptime: 159)), .seconds(1))
            XCTAssertEqual(state().remaining(at: reading(wall: wall, uptime: 160)), .zero)
            XCTAssertEqual(state().remaining(at: reading(wall: wall, uptime: 999)), .zero)
        }
    }

    func testAfterARestartTheWallClockCountsButNeverForLongerThanTheWait() {
        XCTAssertEqual(state().remaining(at: reading(wall: 1_050_000, uptime: 1, boot: "b")), .seconds(10))
        XCTAssertEqual(state().remaining(at: reading(wall: 1_060_000, uptime: 1, boot: "b")), .zero)
        XCTAssertEqual(state().remaining(at: reading(wall: .min, uptime: 1, boot: "b")), .seconds(60))
    }

    func testAClockSetBackOverARestartDelaysByOneWaitNotForYears() {
        let now = reading(wall: -1_000_000_000, uptime: 5, boot: "b")
        let anchored = state().anchored(at: now)
        XCTAssertEqual(anchored.remaining(at: now), .seconds(60))
        XCTAssertEqual(anchored.remaining(at: reading(wall: -1_000_000_000, uptime: 65, boot: "b")), .zero)
        XCTAssertTrue(anchored.isOrdered)
        XCTAssertEqual(anchored.failures, 3)
    }

    func testAnUptimeThatWentBackUnderOneBootNameIsAnchoredToo() {
        let now = reading(wall: 0, uptime: 0)
        XCTAssertEqual(state().remaining(at: now), .seconds(60))
        XCTAssertEqual(state().anchored(at: now).remaining(at: reading(wall: 0, uptime: 60)), .zero)
    }

    func testAStateOfThisBootIsLeftAlone() {
        XCTAssertEqual(state().anchored(at: reading(wall: 0, uptime: 120)), state())
        XCTAssertEqual(RetryState().anchored(at: reading(wall: 0, uptime: 0)), RetryState())
        XCTAssertEqual(RetryState().remaining(at: reading(wall: 0, uptime: 0)), .zero)
    }

    func testBytesBringBackTheSameState() {
        for state in [
            RetryState(), state(), state(boot: ""), state(boot: "é-\u{10FFFF}"),
            RetryState(failures: .max, wait: .milliseconds(.max), isOrdered: true),
            RetryState(entriesDue: Timestamp(milliseconds: -7)), RetryState(entriesDue: .distantFuture),
            RetryState(failures: 1, notBefore: reading(wall: 5, uptime: 6), entriesDue: Timestamp(milliseconds: .min)),
            RetryState(faults: 1), RetryState(entriesDue: .distantFuture, faults: 255),
            RetryState(failures: 2, notBefore: reading(wall: 5, uptime: 6), faults: 9),
        ] {
            XCTAssertEqual(RetryState(bytes: state.bytes), state)
        }
    }

    func testOtherBytesAreRefused() {
        let good = state().bytes
        XCTAssertNil(RetryState(bytes: []))
        XCTAssertNil(RetryState(bytes: Array(good.prefix(33))))
        for (index, byte): (Int, UInt8) in [(0, 2), (1, 16), (2, 0x80), (10, 0xff)] {
            var bad = good
            bad[index] = byte
            XCTAssertNil(RetryState(bytes: bad), "byte \(index)")
        }
        XCTAssertNil(RetryState(bytes: Array(RetryState(faults: 1).bytes.dropLast())))
        XCTAssertEqual(RetryState(bytes: RetryState(faults: .max).bytes)?.faults, 255)
        XCTAssertEqual(RetryState(bytes: RetryState(faults: -1).bytes)?.faults, 0)
        let due = RetryState(entriesDue: Timestamp(milliseconds: 1)).bytes
        XCTAssertNil(RetryState(bytes: Array(due.dropLast())))
        XCTAssertNil(RetryState(bytes: due + [UInt8](repeating: 65, count: 257)))
        XCTAssertNil(RetryState(bytes: good + [UInt8](repeating: 65, count: 300)))
    }
}
