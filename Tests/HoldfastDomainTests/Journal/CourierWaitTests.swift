import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Waits after failures: whose they are, and what does not shorten them.
final class CourierWaitTests: XCTestCase {
    private let rig = JournalRig()

    private func wait(_ step: CourierStep) -> (Interval, DeliveryObstacle)? {
        guard case .waiting(let interval, let obstacle) = step else { return nil }
        return (interval, obstacle)
    }

    /// S51
    func testAnOrderedWaitIsKeptToTheEndWhateverHappensMeanwhile() async throws {
        try await rig.append(count: 500)
        let delivery = ScriptedDelivery(.backOff(serverWait: .seconds(60)))
        let courier = rig.courier(delivery)
        let first = await courier.step()
        XCTAssertEqual(first, .waiting(for: .seconds(60), .serverWait))
        try await rig.append(count: 5)
        rig.clock.advance(by: .seconds(30))
        for force in [false, true] {
            let step = await courier.step(ignoringBackOff: force)
            XCTAssertEqual(step, .waiting(for: .seconds(30), .serverWait))
            let restarted = await rig.courier(delivery).step(ignoringBackOff: force)
            XCTAssertEqual(restarted, .waiting(for: .seconds(30), .serverWait))
        }
        rig.clock.setWall(rig.clock.now().wall - .days(3000))
        let back = await rig.courier(delivery).step(ignoringBackOff: true)
        XCTAssertEqual(back, .waiting(for: .seconds(30), .serverWait))
        rig.clock.setWall(rig.clock.now().wall + .days(6000))
        let forth = await rig.courier(delivery).step(ignoringBackOff: true)
        XCTAssertEqual(forth, .waiting(for: .seconds(30), .serverWait))
        rig.clock.advance(by: .milliseconds(29_999))
        _ = await courier.step(ignoringBackOff: true)
        XCTAssertEqual(delivery.batches.count, 1)
        rig.clock.advance(by: .milliseconds(1))
        let (report, end) = await courier.drain()
        XCTAssertEqual(report.delivered, 505)
        XCTAssertEqual(end, .idle)
    }

    func testAnOrderedWaitOutlivesARebootWithTheClockSetBackButNotForYears() async throws {
        try await rig.append(count: 1)
        let delivery = ScriptedDelivery(.backOff(serverWait: .seconds(60)))
        _ = await rig.courier(delivery).step()
        rig.clock.reboot(after: .seconds(10))
        let step = await rig.courier(delivery).step()
        XCTAssertEqual(step, .waiting(for: .seconds(50), .serverWait))
        rig.clock.reboot()
        rig.clock.setWall(rig.clock.now().wall - .days(3000))
        for seconds: Int64 in [50, 40, 30] {
            // Each step is a new process's first.
            let step = await rig.courier(delivery).step()
            XCTAssertEqual(step, .waiting(for: .seconds(seconds), .serverWait))
            rig.clock.advance(by: .seconds(10))
        }
        rig.clock.advance(by: .seconds(20))
        let last = await rig.courier(delivery).step()
        XCTAssertEqual(last, .delivered(DeliveryReport(delivered: 1)))
    }

    func testItsOwnWaitGrowsAndMayBeIgnored() async throws {
        try await rig.append(count: 1)
        let delivery = ScriptedDelivery(afterwards: { _ in DeliveryResult(.backOff(serverWait: nil)) })
        let courier = rig.courier(delivery)
        var total = Interval.zero
        for failures in 1...70 {
            let step = await courier.step()
            guard let (interval, obstacle) = wait(step) else { return XCTFail("\(step)") }
            XCTAssertEqual(obstacle, .backoff)
            XCTAssertLessThanOrEqual(interval, .minutes(5))
            total = total + interval
            let retry = try await rig.store.statistics(rig.stream).retry
            XCTAssertEqual(retry.failures, failures)
            if interval > .zero {
                rig.clock.advance(by: interval - .milliseconds(1))
                let early = await courier.step()
                XCTAssertEqual(early, .waiting(for: .milliseconds(1), .backoff))
            }
            XCTAssertEqual(delivery.batches.count, failures)
            rig.clock.advance(by: .milliseconds(1))
        }
        XCTAssertGreaterThan(total, .hours(1))
        _ = await courier.step()
        _ = await courier.step(ignoringBackOff: true)
        XCTAssertEqual(delivery.batches.count, 72)
        let retry = try await rig.store.statistics(rig.stream).retry
        XCTAssertEqual(retry.failures, 1, "whoever insists begins anew")
    }

    func testWhoeverInsistsGoesOnThoughABatchWasCutSmaller() async throws {
        for verdict in [DeliveryVerdict.split, .rejected(note: nil)] {
            try await rig.append(count: 8)
            let policy = CourierPolicy(rejection: .isolate(tries: 9))
            _ = await rig.courier(ScriptedDelivery(.backOff(serverWait: nil)), policy).step(ignoringBackOff: true)
            let delivery = ScriptedDelivery(verdict, verdict)
            let (report, end) = await rig.courier(delivery, policy).drain(ignoringBackOff: true)
            XCTAssertEqual(end, .idle, "\(verdict)")
            XCTAssertEqual(report.delivered, 8)
            XCTAssertEqual(delivery.batches.prefix(3).map(\.count), [8, 4, 2])
        }
    }

    func testASuccessForgetsTheFailures() async throws {
        try await rig.append(count: 1)
        let courier = rig.courier(ScriptedDelivery(.backOff(serverWait: nil), .backOff(serverWait: .seconds(9))))
        for _ in 0..<3 {
            _ = await courier.step(ignoringBackOff: true)
            rig.clock.advance(by: .seconds(9))
        }
        let retry = try await rig.store.statistics(rig.stream).retry
        XCTAssertEqual(retry, RetryState())
    }

    /// Answers "later" for some entries, and takes the others.
    private func defers(_ late: Set<EntryID>) -> ScriptedDelivery.Step {
        { batch in
            let pairs = batch.map { ($0.id, late.contains($0.id) ? DeliveryOutcome.retry : .delivered) }
            return DeliveryResult(.proceed, outcomes: Dictionary(pairs) { first, _ in first })
        }
    }

    func testAnyCourierSaysWhenEntriesThatTheServerWantsLaterGoAgain() async throws {
        let ids = try await rig.append(count: 3)
        _ = await rig.courier(ScriptedDelivery([defers([ids[1]])])).drain()
        rig.clock.advance(by: .seconds(10))
        let delivery = ScriptedDelivery()
        let restarted = await rig.courier(delivery).step()
        XCTAssertEqual(restarted, .waiting(for: .seconds(20), .deferred))
        rig.clock.advance(by: .seconds(20))
        let (report, end) = await rig.courier(delivery).drain()
        XCTAssertEqual(report, DeliveryReport(delivered: 1))
        XCTAssertEqual(end, .idle)
        XCTAssertEqual(delivery.batches, [[ids[1]]])
    }

    func testWhoeverInsistsNeedNotWaitForEntriesThatTheServerWantsLater() async throws {
        let ids = try await rig.append(count: 7)
        let late = Set([ids[0], ids[3], ids[6]])
        let policy = CourierPolicy(maxCount: 2)
        _ = await rig.courier(ScriptedDelivery(afterwards: defers(late)), policy).drain()
        let again = ScriptedDelivery(afterwards: defers([ids[0]]))
        let (report, end) = await rig.courier(again, policy).drain(ignoringBackOff: true)
        XCTAssertEqual(report, DeliveryReport(delivered: 2, retried: 1))
        XCTAssertEqual(end, .waiting(for: .milliseconds(30_001), .deferred), "once in a call is enough")
        XCTAssertEqual(again.batches, [[ids[0], ids[3]], [ids[6]]])
        rig.clock.advance(by: .milliseconds(1))
        let last = await rig.courier(ScriptedDelivery(), policy).step(ignoringBackOff: true)
        XCTAssertEqual(last, .delivered(DeliveryReport(delivered: 1)))
    }

    func testAClockSetBackKeepsNoEntryThatTheServerWantsLater() async throws {
        for back in [Interval.hours(1), .hours(23), .days(300)] {
            let ids = try await rig.append(count: 2)
            _ = await rig.courier(ScriptedDelivery([defers([ids[1]])])).drain()
            rig.clock.setWall(rig.clock.now().wall - back)
            let step = await rig.courier(ScriptedDelivery()).step()
            XCTAssertEqual(step, .delivered(DeliveryReport(delivered: 1)), "\(back)")
        }
    }

    func testWhoeverInsistsIsStillToldThatAnotherProcessIsSending() async throws {
        let ids = try await rig.append(count: 2)
        _ = await rig.courier(ScriptedDelivery([defers([ids[1]])])).drain()
        let now = rig.clock.now().wall
        _ = try await rig.store.lease(
            LeaseRequest(stream: rig.stream, maxCount: 1, now: now, duration: .minutes(1), due: now + .minutes(1))
        )
        let step = await rig.courier(ScriptedDelivery()).step(ignoringBackOff: true)
        XCTAssertEqual(step, .waiting(for: .seconds(30), .leasedElsewhere))
    }

    func testAWaitThatAnotherProcessWasOrderedIsKeptHereToo() async throws {
        try await rig.append(count: 1)
        let here = rig.courier(ScriptedDelivery(.interrupted))
        _ = await here.step()
        _ = await rig.courier(ScriptedDelivery(.backOff(serverWait: .seconds(60)))).step()
        let step = await here.step()
        XCTAssertEqual(step, .waiting(for: .seconds(60), .serverWait))
    }

    func testAnInterruptionIsNoFailure() async throws {
        try await rig.append(count: 1)
        let courier = rig.courier(ScriptedDelivery(.interrupted))
        let step = await courier.step()
        XCTAssertEqual(step, .held(.interrupted))
        let retry = try await rig.store.statistics(rig.stream).retry
        XCTAssertEqual(retry, RetryState())
        let next = await courier.step()
        XCTAssertEqual(next, .delivered(DeliveryReport(delivered: 1)))
    }
}
