import HoldfastDomain
import HoldfastInMemory
import XCTest

final class RetryPolicyTests: XCTestCase {
    private let policy = RetryPolicy()

    private func delay(_ failures: Int, serverWait: Interval? = nil, seed: UInt64 = 1) -> Interval {
        var generator = SourceGenerator(SeededRandom(seed: seed))
        return policy.delay(afterFailures: failures, serverWait: serverWait, using: &generator)
    }

    /// S54
    func testAThousandClientsSpreadAndKeepTheCapAtAnyNumberOfFailures() {
        for failures in [1, 2, 3, 8, 9, 63, 64, 65, 1000, .max, 0, -1, .min] {
            let ceiling = failures > 8 ? 300_000.0 : failures < 1 ? 2000 : 2000 * Double(1 << (failures - 1))
            let delays = (0..<1000).map { Double(delay(failures, seed: UInt64($0)).milliseconds) }
            XCTAssertLessThanOrEqual(delays.max() ?? .infinity, min(ceiling, 300_000), "\(failures)")
            XCTAssertGreaterThanOrEqual(delays.min() ?? -1, 0)
            // Full jitter: an even spread has its mean in the middle, and every tenth of the range is drawn.
            XCTAssertEqual(delays.reduce(0, +) / 1000, min(ceiling, 300_000) / 2, accuracy: ceiling * 0.05)
            let tenths = Set(delays.map { Int($0 / min(ceiling, 300_000) * 9.999) })
            XCTAssertEqual(tenths.count, 10, "\(failures)")
        }
    }

    func testTheServersWaitIsTheLeastAndIsClamped() {
        XCTAssertGreaterThanOrEqual(delay(1, serverWait: .seconds(60)), .seconds(60))
        XCTAssertEqual(delay(1, serverWait: .hours(5)), .hours(5))
        XCTAssertEqual(delay(1, serverWait: .days(365)), .hours(24))
        XCTAssertEqual(delay(1, serverWait: .milliseconds(.max)), .hours(24))
        XCTAssertEqual(delay(1, serverWait: .milliseconds(.min)), delay(1))
        XCTAssertEqual(delay(1, serverWait: .zero), delay(1))
    }

    func testAFailureCountsAndSetsTheWaitOnAllClocks() {
        var generator = SourceGenerator(SeededRandom(seed: 3))
        let now = ManualClock().now()
        let ordered = policy.failed(RetryState(), at: now, serverWait: .seconds(60), using: &generator)
        XCTAssertEqual(ordered.failures, 1)
        XCTAssertEqual(ordered.wait, .seconds(60))
        XCTAssertEqual(ordered.notBefore, now.advanced(by: .seconds(60)))
        XCTAssertTrue(ordered.isOrdered)
        let own = policy.failed(ordered, at: now, serverWait: .zero, using: &generator)
        XCTAssertEqual(own.failures, 2)
        XCTAssertFalse(own.isOrdered)
        let known = RetryState(entriesDue: now.wall, faults: 3)
        let kept = policy.failed(known, at: now, serverWait: nil, using: &generator)
        XCTAssertEqual(kept.faults, 3)
        XCTAssertEqual(kept.entriesDue, now.wall)
        let many = policy.failed(RetryState(failures: .max), at: now, serverWait: nil, using: &generator)
        XCTAssertEqual(many.failures, .max)
    }

    func testNonsenseLengthsCountAsZero() {
        let none = RetryPolicy(base: .seconds(-1), cap: .milliseconds(.min), longestServerWait: .seconds(-5))
        var generator = SourceGenerator(SeededRandom(seed: 3))
        XCTAssertEqual(none.delay(afterFailures: 9, serverWait: .seconds(9), using: &generator), .zero)
        let vast = RetryPolicy(base: .milliseconds(.max), cap: .milliseconds(.max))
        XCTAssertGreaterThanOrEqual(vast.delay(afterFailures: 64, serverWait: nil, using: &generator), .zero)
    }
}
