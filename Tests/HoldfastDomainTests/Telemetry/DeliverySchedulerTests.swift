import HoldfastDomain
import XCTest

final class DeliverySchedulerTests: XCTestCase {
    private let policy = SchedulePolicy()
    private let second = Interval.seconds(1)

    private func scheduler(
        reachable: Bool = true,
        constrained: Bool = false,
        power: PowerStatus = PowerStatus(),
        consent: Consent = .granted,
        queued: Int = 1
    ) -> DeliveryScheduler {
        var scheduler = DeliveryScheduler(
            network: ConnectivityStatus(isReachable: reachable, isConstrained: constrained),
            power: power,
            consent: consent,
            uptime: .zero
        )
        scheduler.queueChanged(count: queued, bytes: Int64(queued) * 300, uptime: .zero)
        return scheduler
    }

    func testAnEmptyQueueIsIdle() {
        XCTAssertEqual(scheduler(queued: 0).plan(at: .zero), .idle)
        XCTAssertNil(DeliveryPlan.idle.obstacle)
    }

    func testEventsAreGatheredUntilTheTimerOrTheThreshold() {
        var scheduler = scheduler()
        XCTAssertEqual(scheduler.plan(at: second), .at(.seconds(60), .gathering))
        XCTAssertEqual(scheduler.plan(at: .seconds(60)), .now(.timer))
        scheduler.queueChanged(count: 100, bytes: 300, uptime: second)
        XCTAssertEqual(scheduler.plan(at: second), .now(.threshold))
        scheduler.queueChanged(count: 2, bytes: 65536, uptime: second)
        XCTAssertEqual(scheduler.plan(at: second), .now(.threshold))
    }

    func testGatheringBeginsWithTheFirstEventInAnEmptyQueue() {
        var scheduler = scheduler(queued: 0)
        scheduler.queueChanged(count: 1, bytes: 300, uptime: .seconds(100))
        scheduler.queueChanged(count: 2, bytes: 600, uptime: .seconds(130))
        XCTAssertEqual(scheduler.plan(at: .seconds(140)), .at(.seconds(160), .gathering))
    }

    func testANetworkThatOnlyChangesItsKindIsNoReasonToSend() {
        var scheduler = scheduler()
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: true, isExpensive: true))
        XCTAssertEqual(scheduler.plan(at: second), .at(.seconds(60), .gathering))
    }

    func testSavingPowerOrDataStretchesTheGathering() {
        let restricted = [
            scheduler(constrained: true, queued: 100), scheduler(power: PowerStatus(isLowPower: true), queued: 100),
            scheduler(power: PowerStatus(isUnderThermalPressure: true), queued: 100),
        ]
        for scheduler in restricted {
            XCTAssertEqual(scheduler.plan(at: second), .at(.seconds(300), .gathering))
            var heavy = scheduler
            heavy.queueChanged(count: 100, bytes: 5 * 65_536 - 1, uptime: second)
            XCTAssertEqual(heavy.plan(at: second), .at(.seconds(300), .gathering))
            heavy.queueChanged(count: 100, bytes: 5 * 65_536, uptime: second)
            XCTAssertEqual(heavy.plan(at: second), .now(.threshold))
        }
    }

    func testSavingPowerOrDataPausesBackgroundWorkAndSaysWhy() {
        let cases: [(DeliveryScheduler, DeliveryObstacle)] = [
            (scheduler(constrained: true), .constrainedNetwork),
            (scheduler(power: PowerStatus(isLowPower: true)), .lowPower),
            (scheduler(power: PowerStatus(isUnderThermalPressure: true)), .thermalPressure),
        ]
        for (before, obstacle) in cases {
            var scheduler = before
            scheduler.movedToBackground(until: .seconds(30), isLeaving: false)
            XCTAssertEqual(scheduler.plan(at: second), .when(obstacle))
            scheduler.flushRequested()
            XCTAssertEqual(scheduler.plan(at: second), .now(.flush))
        }
    }

    func testBackgroundWorkEndsWhenItsTimeIsOver() {
        var scheduler = scheduler()
        scheduler.movedToBackground(until: .seconds(30), isLeaving: true)
        XCTAssertEqual(scheduler.plan(at: second), .now(.appLeaving))
        XCTAssertEqual(scheduler.plan(at: .seconds(30)), .when(.appInBackground))
        scheduler.becameActive()
        XCTAssertEqual(scheduler.plan(at: .seconds(31)), .now(.appBecameActive))
    }

    func testEventsThatWaitForThemselvesKeepNoneThatComeLater() {
        var scheduler = scheduler(queued: 150)
        scheduler.attemptBegan()
        scheduler.attemptEnded(.wait(until: .seconds(301), .deferred), uptime: second)
        XCTAssertEqual(scheduler.plan(at: .seconds(2)), .at(.seconds(301), .deferred))
        scheduler.queueChanged(count: 151, bytes: 151 * 300, uptime: .seconds(3))
        XCTAssertEqual(scheduler.plan(at: .seconds(3)), .at(.seconds(61), .gathering))
        XCTAssertEqual(scheduler.plan(at: .seconds(61)), .now(.timer))
        scheduler.queueChanged(count: 250, bytes: 250 * 300, uptime: .seconds(4))
        XCTAssertEqual(scheduler.plan(at: .seconds(4)), .now(.threshold))
        scheduler.attemptBegan()
        scheduler.attemptEnded(.wait(until: .seconds(30), .deferred), uptime: .seconds(5))
        scheduler.queueChanged(count: 251, bytes: 251 * 300, uptime: .seconds(6))
        XCTAssertEqual(scheduler.plan(at: .seconds(6)), .at(.seconds(30), .deferred), "whichever comes first")
        XCTAssertEqual(scheduler.plan(at: .seconds(30)), .now(.retry))
    }

    func testAWaitAfterAFailureKeepsWhatComesLater() {
        var scheduler = scheduler(queued: 50)
        scheduler.attemptBegan()
        scheduler.attemptEnded(.wait(until: .seconds(200), .backoff), uptime: second)
        scheduler.queueChanged(count: 5000, bytes: 1_000_000, uptime: .seconds(3))
        XCTAssertEqual(scheduler.plan(at: .seconds(3)), .at(.seconds(200), .backoff))
    }

    func testWithoutANetworkItWaitsForOneAndThenSendsAtOnce() {
        var scheduler = scheduler(reachable: false, queued: 500)
        XCTAssertEqual(scheduler.plan(at: .hours(1)), .when(.offline))
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: true, isConstrained: true))
        XCTAssertEqual(scheduler.plan(at: .hours(1)), .now(.connectivityReturned))
    }

    func testNewEventsDoNotShortenAWaitAndAReturningNetworkDoes() {
        var scheduler = scheduler(queued: 500)
        scheduler.attemptBegan()
        scheduler.attemptEnded(.wait(until: .seconds(100), .backoff), uptime: .seconds(10))
        scheduler.queueChanged(count: 9000, bytes: 1_000_000, uptime: .seconds(11))
        XCTAssertEqual(scheduler.plan(at: .seconds(11)), .at(.seconds(100), .backoff))
        XCTAssertEqual(scheduler.plan(at: .seconds(100)), .now(.retry))
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: false))
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: true))
        XCTAssertEqual(scheduler.plan(at: .seconds(11)), .at(.seconds(12), .backoff), "a flapping network is spaced")
        XCTAssertEqual(scheduler.plan(at: .seconds(12)), .now(.connectivityReturned))
    }

    func testNothingShortensAWaitThatTheServerOrdered() {
        var scheduler = scheduler(queued: 500)
        scheduler.attemptEnded(.wait(until: .seconds(60), .serverWait), uptime: .zero)
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: false))
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: true))
        scheduler.movedToBackground(until: nil, isLeaving: true)
        scheduler.becameActive()
        scheduler.flushRequested()
        XCTAssertEqual(scheduler.plan(at: .seconds(59)), .at(.seconds(60), .serverWait))
        XCTAssertEqual(scheduler.plan(at: .seconds(60)), .now(.flush))
    }

    func testAFlushOverridesEverythingElseButConsent() {
        var scheduler = scheduler(reachable: false, consent: .pending)
        scheduler.movedToBackground(until: nil, isLeaving: true)
        scheduler.attemptEnded(.hold(.redirected), uptime: .zero)
        scheduler.flushRequested()
        XCTAssertEqual(scheduler.plan(at: second), .when(.consentPending))
        scheduler.consentChanged(to: .denied)
        XCTAssertEqual(scheduler.plan(at: second), .when(.consentDenied))
        scheduler.consentChanged(to: .granted)
        XCTAssertEqual(scheduler.plan(at: second), .now(.flush))
        scheduler.attemptEnded(.progress, uptime: second)
        XCTAssertEqual(scheduler.plan(at: second), .now(.flush))
        scheduler.attemptEnded(.wait(until: .seconds(5), .backoff), uptime: second)
        scheduler.becameActive()
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: true))
        XCTAssertNotEqual(scheduler.plan(at: second), .now(.flush), "a failure ends the flush")
    }

    func testAHostMaySendOnlyWhenItAsks() {
        var scheduler = DeliveryScheduler(
            policy: SchedulePolicy(isAutomatic: false),
            network: ConnectivityStatus(isReachable: true),
            power: PowerStatus(),
            consent: .granted,
            uptime: .zero
        )
        scheduler.queueChanged(count: 500, bytes: 1_000_000, uptime: .zero)
        XCTAssertEqual(scheduler.plan(at: .hours(1)), .when(.onRequest))
        scheduler.flushRequested()
        XCTAssertEqual(scheduler.plan(at: .hours(1)), .now(.flush))
        scheduler.attemptEnded(.wait(until: .hours(2), .backoff), uptime: .hours(1))
        XCTAssertEqual(scheduler.plan(at: .hours(1)), .at(.hours(2), .backoff))
        XCTAssertEqual(scheduler.plan(at: .hours(2)), .when(.onRequest))
        scheduler.movedToBackground(until: .hours(3), isLeaving: false)
        XCTAssertEqual(scheduler.plan(at: .hours(2)), .now(.backgroundWork))
    }

    func testAHostThatAsksIsToldOfAHoldUntilItChangesSomething() {
        var scheduler = DeliveryScheduler(
            policy: SchedulePolicy(isAutomatic: false),
            network: ConnectivityStatus(isReachable: true),
            power: PowerStatus(),
            consent: .granted,
            uptime: .zero
        )
        scheduler.queueChanged(count: 1, bytes: 100, uptime: .zero)
        scheduler.flushRequested()
        scheduler.attemptEnded(.hold(.unauthorised), uptime: .zero)
        XCTAssertEqual(scheduler.plan(at: .zero), .when(.unauthorised))
        XCTAssertEqual(scheduler.plan(at: .hours(9)), .when(.unauthorised), "nothing is looked at again by itself")
        scheduler.flushRequested()
        XCTAssertEqual(scheduler.plan(at: .hours(9)), .now(.flush))
        scheduler.flushEnded()
        scheduler.tokenChanged()
        XCTAssertEqual(scheduler.plan(at: .hours(9)), .when(.onRequest))
    }

    func testAHoldIsLiftedByAChangeAndLookedAtAgainBySelf() {
        var scheduler = scheduler(queued: 500)
        scheduler.attemptEnded(.hold(.unauthorised), uptime: .zero)
        let recheck = policy.recheckInterval
        XCTAssertEqual(scheduler.plan(at: second), .held(.unauthorised, recheck: recheck))
        XCTAssertEqual(scheduler.plan(at: recheck), .now(.recheck))
        scheduler.tokenChanged()
        XCTAssertEqual(scheduler.plan(at: .seconds(2)), .now(.tokenChanged))
        scheduler.attemptBegan()
        scheduler.attemptEnded(.progress, uptime: .seconds(3))
        XCTAssertEqual(scheduler.plan(at: .seconds(3)), .now(.draining))
    }

    func testWhatComesWhileABatchIsSentIsGatheredAndWhatWaitedBeforeIsNot() {
        var scheduler = scheduler(queued: 700)
        scheduler.attemptBegan()
        scheduler.queueChanged(count: 703, bytes: 300, uptime: second)
        scheduler.queueChanged(count: 203, bytes: 300, uptime: second)
        scheduler.attemptEnded(.progress, uptime: second)
        XCTAssertEqual(scheduler.plan(at: second), .now(.draining))
        scheduler.attemptBegan()
        scheduler.queueChanged(count: 210, bytes: 300, uptime: second)
        scheduler.queueChanged(count: 7, bytes: 300, uptime: second)
        scheduler.attemptEnded(.progress, uptime: second)
        XCTAssertEqual(scheduler.plan(at: second), .at(.seconds(61), .gathering))
    }

    func testAnEmptyQueueLeavesNothingToSendAtOnce() {
        var scheduler = scheduler()
        scheduler.attemptBegan()
        scheduler.queueChanged(count: 0, bytes: 0, uptime: second)
        scheduler.attemptEnded(.progress, uptime: second)
        scheduler.queueChanged(count: 1, bytes: 300, uptime: .seconds(100))
        XCTAssertEqual(scheduler.plan(at: .seconds(100)), .at(.seconds(160), .gathering))
        scheduler.queueChanged(count: 0, bytes: 0, uptime: .seconds(200))
        scheduler.movedToBackground(until: nil, isLeaving: true)
        scheduler.becameActive()
        scheduler.queueChanged(count: 1, bytes: 300, uptime: .seconds(300))
        XCTAssertEqual(scheduler.plan(at: .seconds(300)), .at(.seconds(360), .gathering))
    }

    func testAChangeLiftsWhatStandsInTheWayOfAnEmptyQueueToo() {
        var scheduler = scheduler()
        scheduler.attemptEnded(.hold(.unauthorised), uptime: .zero)
        scheduler.queueChanged(count: 0, bytes: 0, uptime: second)
        scheduler.tokenChanged()
        scheduler.queueChanged(count: 1, bytes: 300, uptime: .seconds(2))
        XCTAssertEqual(scheduler.plan(at: .seconds(2)), .now(.tokenChanged))
        scheduler.attemptBegan()
        scheduler.attemptEnded(.wait(until: .seconds(300), .backoff), uptime: .seconds(3))
        scheduler.queueChanged(count: 0, bytes: 0, uptime: .seconds(4))
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: false))
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: true))
        scheduler.queueChanged(count: 1, bytes: 300, uptime: .seconds(5))
        XCTAssertEqual(scheduler.plan(at: .seconds(5)), .now(.connectivityReturned))
    }

    func testNothingIsGatheredInTheTimeThatTheBackgroundGives() {
        var scheduler = scheduler(queued: 0)
        scheduler.movedToBackground(until: .seconds(30), isLeaving: false)
        scheduler.queueChanged(count: 1, bytes: 300, uptime: second)
        XCTAssertEqual(scheduler.plan(at: second), .now(.backgroundWork))
        scheduler.attemptBegan()
        scheduler.queueChanged(count: 2, bytes: 600, uptime: second)
        scheduler.queueChanged(count: 1, bytes: 300, uptime: second)
        scheduler.attemptEnded(.progress, uptime: second)
        XCTAssertEqual(scheduler.plan(at: second), .now(.draining))
        XCTAssertEqual(scheduler.plan(at: .seconds(30)), .when(.appInBackground))
    }

    func testStorageThatReturnsLiftsItsOwnHoldOnly() {
        for (obstacle, isLifted) in [(.vaultUnavailable, true), (.storeUnavailable, true), (.unauthorised, false)]
            as [(DeliveryObstacle, Bool)]
        {
            var scheduler = scheduler()
            scheduler.attemptEnded(.hold(obstacle), uptime: .zero)
            scheduler.storageReturned()
            XCTAssertEqual(scheduler.plan(at: .seconds(2)) == .now(.recheck), isLifted, obstacle.rawValue)
        }
    }

    func testWhatComesUpDuringAnAttemptIsNotForgotten() {
        var scheduler = scheduler(reachable: false)
        scheduler.flushRequested()
        scheduler.attemptBegan()
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: true))
        scheduler.attemptEnded(.wait(until: .seconds(300), .backoff), uptime: second)
        XCTAssertEqual(scheduler.plan(at: .seconds(3)), .now(.connectivityReturned))
    }

    func testAnAttemptThatWasCalledOffSaysNothingAgainstAnotherButDoesNotSpin() {
        var scheduler = scheduler(queued: 500)
        scheduler.attemptEnded(.interrupted, uptime: .zero)
        XCTAssertEqual(scheduler.plan(at: .zero), .at(policy.spacing, .interrupted))
        scheduler.movedToBackground(until: nil, isLeaving: true)
        scheduler.becameActive()
        XCTAssertEqual(scheduler.plan(at: .zero), .now(.appBecameActive))
    }

    func testAWaitOfAnEarlierProcessStands() {
        var scheduler = scheduler(queued: 500)
        scheduler.restored(waitUntil: .seconds(40), .serverWait)
        XCTAssertEqual(scheduler.plan(at: second), .at(.seconds(40), .serverWait))
        XCTAssertEqual(scheduler.plan(at: .seconds(40)), .now(.retry))
    }

    func testExtremePoliciesAndTimesDoNotTrap() {
        let policy = SchedulePolicy(
            interval: Interval(milliseconds: .max),
            thresholdCount: .max,
            thresholdBytes: .max,
            stretch: .max,
            recheckInterval: Interval(milliseconds: .max)
        )
        var scheduler = DeliveryScheduler(
            policy: policy,
            network: ConnectivityStatus(isReachable: true),
            power: PowerStatus(isLowPower: true),
            consent: .granted,
            uptime: Interval(milliseconds: .max)
        )
        scheduler.queueChanged(count: .max, bytes: .max, uptime: Interval(milliseconds: .min))
        _ = scheduler.plan(at: Interval(milliseconds: .min))
        scheduler.attemptEnded(.hold(.offline), uptime: Interval(milliseconds: .max))
        XCTAssertNotNil(scheduler.plan(at: .zero).wakeUp)
    }
}
