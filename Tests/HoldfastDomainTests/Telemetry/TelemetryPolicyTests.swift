import HoldfastDomain
import XCTest

final class TelemetryPolicyTests: XCTestCase {
    /// The numbers of the README, and of the members' comments.
    func testTheDefaultsAreThoseThatAreWrittenDown() {
        let policy = TelemetryPolicy()
        XCTAssertEqual(policy.limits, TelemetryLimits(maxBodyBytes: 262_144, maxBatchCount: 500, body: .object))
        XCTAssertEqual(
            policy.schedule,
            SchedulePolicy(
                isAutomatic: true,
                interval: .seconds(60),
                thresholdCount: 100,
                thresholdBytes: 65_536,
                stretch: 5,
                savesDataWhenExpensive: false,
                recheckInterval: .minutes(5),
                spacing: .seconds(2)
            )
        )
        XCTAssertEqual(
            policy.retry,
            RetryPolicy(base: .seconds(2), cap: .minutes(5), longestServerWait: .hours(24))
        )
        XCTAssertEqual(policy.answers, AnswerTable(retriedStatuses: []))
        XCTAssertEqual(policy.rejection, .setAside)
        XCTAssertEqual(policy.requestTimeout, .seconds(30))
        XCTAssertEqual(
            policy.retention,
            Retention(maxQueuedBytes: 20_971_520, maxQueuedAge: .days(7), deadLetteredFor: .days(7))
        )
        XCTAssertEqual(policy.maxDeadLetters, 1000)
        XCTAssertEqual(policy.durability, .processDeath)
        XCTAssertEqual(policy.commitInterval, .milliseconds(20))
        XCTAssertEqual(policy.maxBufferedBytes, 4_194_304)
        XCTAssertEqual(policy.initialConsent, .granted)
        XCTAssertTrue(policy.reportsLosses)
    }

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
