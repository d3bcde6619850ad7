import HoldfastDomain
import XCTest

final class TelemetryPolicyTests: XCTestCase {
    func testALeaseOutlivesWhateverABatchMayWaitFor() {
        for timeout in [Interval.milliseconds(1), .seconds(30), .minutes(10), .hours(1)] {
            var policy = TelemetryPolicy()
            policy.requestTimeout = timeout
            // Two requests, each with the grace of its watchdog, and a token before each.
            let longest = timeout + timeout + timeout + timeout + .seconds(10)
            XCTAssertGreaterThan(policy.courier.leaseDuration, longest)
        }
    }
}
