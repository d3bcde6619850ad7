import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastApple

final class BackgroundDecisionTests: XCTestCase {
    private let now = Timestamp(milliseconds: 1_000_000)

    func testATaskBeginsAfterThePlansWaitOrTheServers() {
        let plan = BackgroundPlan(refresh: "r", refreshAfter: .minutes(15))
        let begins: [(nextAttempt: Timestamp?, begin: Timestamp)] = [
            (nil, now + .minutes(15)), (now + .minutes(5), now + .minutes(15)), (now + .hours(2), now + .hours(2)),
            (now - .hours(2), now + .minutes(15)), (.distantFuture, now + .days(1)), (.distantPast, now + .minutes(15)),
        ]
        for (nextAttempt, begin) in begins {
            XCTAssertEqual(plan.earliestBegin(of: .refresh, now: now, nextAttempt: nextAttempt), begin)
        }
    }

    func testNoChoiceOfNumbersTraps() {
        for wait in [Int64.min, -1, .max] {
            let interval = Interval.milliseconds(wait)
            let plan = BackgroundPlan(refresh: "r", refreshAfter: interval, refreshBudget: interval)
            for now in [Timestamp.distantPast, now, .distantFuture] {
                XCTAssertGreaterThanOrEqual(plan.earliestBegin(of: .refresh, now: now, nextAttempt: nil), now)
            }
            XCTAssertGreaterThanOrEqual(plan.budget(of: .refresh), .zero)
        }
    }

    func testOneIdentifierIsOneTask() {
        XCTAssertEqual(BackgroundPlan(refresh: "a", processing: "b").tasks.map(\.identifier), ["a", "b"])
        XCTAssertEqual(BackgroundPlan(refresh: "a", processing: "a").tasks.map(\.kind), [.refresh])
        XCTAssertEqual(BackgroundPlan(refresh: nil).tasks.count, 0)
    }

    func testWhatKeepsATaskFromBeingRegistered() {
        let info = BackgroundInfo(identifiers: ["r", "p"], modes: ["fetch"])
        func obstacle(
            _ identifier: String = "r",
            _ kind: BackgroundTaskKind = .refresh,
            isRegistered: Bool = false,
            hasLaunched: Bool = false
        ) -> BackgroundRegistration? {
            .obstacle(identifier, kind, info: info, isRegistered: isRegistered, hasLaunched: hasLaunched)
        }
        XCTAssertNil(obstacle())
        XCTAssertEqual(obstacle(isRegistered: true, hasLaunched: true), .alreadyRegistered)
        XCTAssertEqual(obstacle("other"), .missingIdentifier)
        XCTAssertEqual(obstacle("p", .processing), .missingBackgroundMode)
        XCTAssertEqual(obstacle(hasLaunched: true), .tooLate)
    }

    func testInfoIsReadWithWhateverIsInIt() {
        let empty = BackgroundInfo(identifiers: [], modes: [])
        XCTAssertEqual(BackgroundInfo([:]), empty)
        XCTAssertEqual(
            BackgroundInfo(["BGTaskSchedulerPermittedIdentifiers": "r", "UIBackgroundModes": [1, 2]]),
            empty
        )
        XCTAssertEqual(
            BackgroundInfo(["BGTaskSchedulerPermittedIdentifiers": ["r"], "UIBackgroundModes": ["fetch", "audio"]]),
            BackgroundInfo(identifiers: ["r"], modes: ["fetch", "audio"])
        )
    }

    func testEachSchedulerErrorHasItsMeaning() {
        let meanings = [1, 2, 3, 4, 0, -1].map(BackgroundSubmission.init(schedulerError:))
        XCTAssertEqual(meanings, [.unavailable, .tooManyPending, .notPermitted, .failed(4), .failed(0), .failed(-1)])
    }

    func testTheSystemIsToldOnceWhoeverComesFirst() {
        var ended = BackgroundRun()
        XCTAssertEqual(ended.finish(isSuccess: true), true)
        XCTAssertFalse(ended.expire())
        XCTAssertNil(ended.giveUp())
        XCTAssertNil(ended.finish(isSuccess: true))

        var expired = BackgroundRun()
        XCTAssertTrue(expired.expire())
        XCTAssertFalse(expired.expire())
        XCTAssertEqual(expired.finish(isSuccess: true), false, "what was called off is no success")
        XCTAssertNil(expired.giveUp())

        var stuck = BackgroundRun()
        XCTAssertNil(stuck.giveUp(), "only after expiry")
        XCTAssertTrue(stuck.expire())
        XCTAssertEqual(stuck.giveUp(), false)
        XCTAssertNil(stuck.finish(isSuccess: true))
    }

    func testThePhaseFollowsNoticesThatRepeat() {
        var phase = ForegroundPhase.launched
        XCTAssertEqual([phase.enter(), phase.enter()], [true, false])
        XCTAssertEqual([phase.leave(), phase.leave()], [true, false])
        XCTAssertTrue(phase.enter())
        var launchedInBackground = ForegroundPhase.launched
        XCTAssertTrue(launchedInBackground.leave())
    }
}
