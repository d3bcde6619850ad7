import HoldfastDomain
import HoldfastInMemory
import XCTest

/// A server that fails at an entry whenever it comes, or at everything for hours: nobody else waits for it, and nothing
/// is lost.
final class CourierFaultTests: XCTestCase {
    private let rig = JournalRig()

    /// What a courier does within a time, stepping whenever it says.
    private func run(_ courier: Courier, for time: Interval) async -> [CourierStep] {
        let end = rig.clock.now().uptime + time
        var steps: [CourierStep] = []
        while steps.last != .idle, steps.count < 5000 {
            let step = await courier.step()
            steps.append(step)
            guard case .waiting(let wait, _) = step else { continue }
            guard rig.clock.now().uptime + wait <= end else { break }
            rig.clock.advance(by: wait)
        }
        return steps
    }

    private func queued() async throws -> Set<EntryID> {
        Set(try await rig.entries().filter { $0.state == .queued }.map(\.draft.id))
    }

    func testOneEntryThatTheServerFailsAtKeepsNobodyElse() async throws {
        for place in [0, 1, 41, 99, 100, 567, 998, 999] {
            let rig = JournalRig(random: SeededRandom(seed: UInt64(place)))
            let ids = try await rig.append(count: 1000)
            let server = FaultyServer(failsAt: [ids[place]])
            let courier = rig.courier(server.delivery)
            var steps = 0
            while server.received.count < 999, steps < 60 {
                steps += 1
                if case .waiting(let wait, let why) = await courier.step() {
                    XCTAssertEqual(why, .backoff)
                    rig.clock.advance(by: wait)
                }
            }
            XCTAssertEqual(server.received, Set(ids).subtracting([ids[place]]), "\(place)")
            let states = try await rig.states()
            XCTAssertEqual(states, [ids[place]: .queued], "\(place)")
        }
    }

    /// Whether something waits behind it matters, though only one of them fits a body.
    func testALargeEntryThatTheServerFailsAtKeepsNoLargeOne() async throws {
        let ids = try await rig.append(Array(repeating: String(repeating: "x", count: 3000), count: 3))
        let server = FaultyServer(failsAt: [ids[0]])
        let courier = rig.courier(server.delivery, CourierPolicy(maxCount: 10, maxBodyBytes: 3100))
        for _ in 0..<20 where server.received.count < 2 {
            if case .waiting(let wait, _) = await courier.step() { rig.clock.advance(by: wait) }
        }
        XCTAssertEqual(server.received, [ids[1], ids[2]])
        let left = try await queued()
        XCTAssertEqual(left, [ids[0]])
    }

    func testItIsSentAgainNowAndThenAndArrivesOnceTheServerIsMended() async throws {
        let ids = try await rig.append(count: 300)
        let server = FaultyServer(failsAt: [ids[150]])
        let courier = rig.courier(server.delivery)
        _ = await run(courier, for: .hours(1))
        let before = server.requests
        let steps = await run(courier, for: .hours(10))
        XCTAssertFalse(steps.contains { if case .waiting(_, .leasedElsewhere) = $0 { true } else { false } })
        let repeats = server.requests - before
        XCTAssertTrue((60...120).contains(repeats), "\(repeats): once in five minutes, and the wait that follows")
        server.mend()
        let last = await run(courier, for: .minutes(10))
        XCTAssertEqual(last.suffix(2), [.delivered(DeliveryReport(delivered: 1)), .idle])
        let losses = try await rig.store.statistics(rig.stream).losses
        XCTAssertEqual(losses, [:])
    }

    func testWhatComesLaterGoesFirstAndAtOnce() async throws {
        let ids = try await rig.append(count: 10)
        let server = FaultyServer(failsAt: [ids[0]])
        let courier = rig.courier(server.delivery)
        _ = await run(courier, for: .hours(1))
        let before = server.failures
        for _ in 0..<50 {
            let new = try await rig.append(count: 20)
            let (report, end) = await courier.drain()
            if case .waiting(_, .backoff) = end, report.delivered == 0 {
                rig.clock.advance(by: .minutes(5))
                _ = await courier.drain()
            }
            XCTAssertTrue(server.received.isSuperset(of: new))
            rig.clock.advance(by: .seconds(30))
        }
        XCTAssertTrue((3...12).contains(server.failures - before), "not with each success, but once in five minutes")
    }

    func testManyOfThemInARowOrScatteredKeepNobodyElse() async throws {
        for bad in [Array(0..<40), Array(100..<160), Array(960..<1000), Array(stride(from: 0, to: 1000, by: 17))] {
            let rig = JournalRig(random: SeededRandom(seed: UInt64(bad[1])))
            let ids = try await rig.append(count: 1000)
            let poison = Set(bad.map { ids[$0] })
            let server = FaultyServer(failsAt: poison)
            let courier = rig.courier(server.delivery)
            var steps = 0
            while server.received.count < 1000 - bad.count, steps < 1500 {
                steps += 1
                if case .waiting(let wait, _) = await courier.step() { rig.clock.advance(by: wait) }
            }
            XCTAssertEqual(server.received, Set(ids).subtracting(poison))
            server.mend()
            for _ in 0..<200 {
                if case .waiting(let wait, _) = await courier.step() { rig.clock.advance(by: wait) }
            }
            XCTAssertEqual(server.received, Set(ids))
        }
    }

    func testAnOutageOfHoursEndsWithEverythingDeliveredAtOnce() async throws {
        let ids = try await rig.append(count: 3000)
        let server = FaultyServer(failsAt: Set(ids))
        let courier = rig.courier(server.delivery)
        _ = await run(courier, for: .hours(30))
        XCTAssertLessThan(server.requests, 900, "no more than the waits allow")
        let before = server.requests
        let left = try await queued()
        XCTAssertEqual(left, Set(ids))
        server.mend()
        let steps = await run(courier, for: .minutes(15))
        XCTAssertEqual(steps.last, .idle)
        XCTAssertEqual(server.received, Set(ids))
        XCTAssertLessThan(server.requests - before, 60)
        let statistics = try await rig.store.statistics(rig.stream)
        XCTAssertEqual(statistics.losses, [:])
        XCTAssertEqual(statistics.deadLettered, 0)
    }

    func testOfThoseThatWentLastTheBadOnesKeepNoneEither() async throws {
        let ids = try await rig.append(count: 40)
        let server = FaultyServer(failsAt: Set(ids))
        let courier = rig.courier(server.delivery)
        _ = await run(courier, for: .hours(3))
        let bad = Set(ids[0..<2])
        server.mend(except: bad)
        _ = await run(courier, for: .hours(1))
        XCTAssertEqual(server.received, Set(ids).subtracting(bad))
    }

    func testWhatIsAloneIsSentAgainAsBefore() async throws {
        let ids = try await rig.append(count: 1)
        let server = FaultyServer(failsAt: Set(ids))
        let steps = await run(rig.courier(server.delivery), for: .hours(10))
        XCTAssertTrue(steps.allSatisfy { if case .waiting(_, .backoff) = $0 { true } else { false } })
        let due = try await rig.store.statistics(rig.stream).retry.entriesDue
        XCTAssertNil(due, "there is nobody it could keep")
        XCTAssertGreaterThan(server.requests, 180)
    }

    /// As a command that ends after one attempt.
    func testProcessesThatSeeOneFailureEachFindItTogether() async throws {
        let ids = try await rig.append(count: 1000)
        let server = FaultyServer(failsAt: [ids[7]])
        var processes = 0
        while server.received.count < 999, processes < 40 {
            processes += 1
            _ = await rig.courier(server.delivery).drain(ignoringBackOff: true)
        }
        XCTAssertEqual(server.received, Set(ids).subtracting([ids[7]]))
    }

    func testAnotherKindOfFailureSaysNothingOfTheContent() async throws {
        try await rig.append(count: 100)
        let delivery = ScriptedDelivery(afterwards: { _ in DeliveryResult(.backOff(serverWait: nil)) })
        _ = await run(rig.courier(delivery), for: .hours(1))
        XCTAssertEqual(Set(delivery.batches.map(\.count)), [100])
    }

    func testAClockSetBackKeepsNothingFromBeingSent() async throws {
        for back in [Interval.minutes(1), .hours(1), .hours(23), .days(300)] {
            let rig = JournalRig()
            let ids = try await rig.append(count: 10)
            let server = FaultyServer(failsAt: [ids[3]])
            let courier = rig.courier(server.delivery)
            for _ in 0..<50 where server.received.count < 9 {
                if case .waiting(let wait, _) = await courier.step() { rig.clock.advance(by: wait) }
            }
            XCTAssertEqual(server.received.count, 9)
            server.mend()
            rig.clock.setWall(rig.clock.now().wall - back)
            var waited = Interval.zero
            for _ in 0..<500 where server.received.count < 10 {
                guard case .waiting(let wait, _) = await courier.step() else { continue }
                rig.clock.advance(by: wait)
                waited = waited + wait
            }
            XCTAssertEqual(server.received, Set(ids), "\(back)")
            XCTAssertLessThanOrEqual(waited, .minutes(10), "\(back)")
        }
    }
}

/// A server that fails at some entries, until it is mended.
// A courier has one batch under way at a time, and the test looks only when none is.
private final class FaultyServer: @unchecked Sendable {
    private var failsAt: Set<EntryID>
    private(set) var received: Set<EntryID> = []
    private(set) var requests = 0
    private(set) var failures = 0

    init(failsAt: Set<EntryID>) { self.failsAt = failsAt }

    var delivery: ScriptedDelivery { ScriptedDelivery(afterwards: { self.answer($0) }) }

    func mend(except left: Set<EntryID> = []) { failsAt = left }

    private func answer(_ batch: [OpenedEntry]) -> DeliveryResult {
        requests += 1
        guard failsAt.isDisjoint(with: batch.map(\.id)) else {
            failures += 1
            return DeliveryResult(.serverFault)
        }
        received.formUnion(batch.map(\.id))
        return .delivered(batch)
    }
}
