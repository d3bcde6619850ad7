import HoldfastDomain
import HoldfastInMemory
import XCTest

/// After a network returns in an active app, everything queued is delivered within 15 minutes: shown by simulating
/// days of outages and failing servers under a manual clock, many times, with nothing but the scheduler and the retry
/// policy deciding.
final class FifteenMinutePromiseTests: XCTestCase {
    func testEverythingIsDeliveredWithinFifteenMinutesOfActiveUse() {
        for seed in 0..<10_000 {
            var simulation = Simulation(seed: UInt64(seed))
            simulation.runThroughOutages()
            let took = simulation.runUntilEmpty(within: .minutes(20))
            guard let took, took <= .minutes(15) else {
                return XCTFail("seed \(seed): \(took.map { "\($0.milliseconds) ms" } ?? "not delivered")")
            }
        }
    }

    func testNoRequestIsEverMadeInsideAWaitThatTheServerOrdered() {
        for seed in 0..<500 {
            var simulation = Simulation(seed: UInt64(seed), ordersWaits: true)
            simulation.runThroughOutages()
            XCTAssertEqual(simulation.violations, 0, "seed \(seed)")
        }
    }
}

/// An app, a network and a server that misbehave at random.
private struct Simulation {
    private let clock = ManualClock()
    private let policy = SchedulePolicy()
    private let retryPolicy = RetryPolicy()
    private let ordersWaits: Bool
    private var random: SourceGenerator
    private var scheduler: DeliveryScheduler
    private var retry = RetryState()
    private var orderedUntil = Interval.zero
    private var queued = 0
    private var isReachable = false
    private var failuresInARow = 0
    private(set) var violations = 0

    init(seed: UInt64, ordersWaits: Bool = false) {
        random = SourceGenerator(SeededRandom(seed: seed))
        self.ordersWaits = ordersWaits
        let power = PowerStatus(isLowPower: Bool.random(using: &random))
        scheduler = DeliveryScheduler(
            policy: policy,
            network: ConnectivityStatus(isReachable: false),
            power: power,
            consent: .granted,
            uptime: clock.now().uptime
        )
    }

    private var uptime: Interval { clock.now().uptime }

    /// Hours in which the network comes and goes, the server is down more often than not, and the user works on.
    mutating func runThroughOutages() {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            take(Int.random(in: 1...3000, using: &random))
            setReachable(Bool.random(using: &random))
            let end = uptime + .seconds(Int64.random(in: 0...3600, using: &random))
            while uptime < end, step(serverIsUp: 0.2, until: end) {}
            if uptime < end { clock.advance(by: end - uptime) }
        }
    }

    /// From a network's return on, with a server that takes at least one request in eight.
    mutating func runUntilEmpty(within limit: Interval) -> Interval? {
        setReachable(false)
        take(1)
        setReachable(true)
        failuresInARow = 0
        let start = uptime
        while queued > 0, uptime - start < limit {
            guard step(serverIsUp: failuresInARow == 7 ? 1 : 0.7, until: start + limit) else { return nil }
        }
        return queued == 0 ? uptime - start : nil
    }

    private mutating func take(_ count: Int) {
        queued += count
        scheduler.queueChanged(count: queued, bytes: Int64(queued) * 300, uptime: uptime)
    }

    private mutating func setReachable(_ reachable: Bool) {
        isReachable = reachable
        scheduler.networkChanged(to: ConnectivityStatus(isReachable: reachable))
    }

    /// Does what the scheduler says next; false if it waits for something that does not come before `end`.
    private mutating func step(serverIsUp: Double, until end: Interval) -> Bool {
        switch scheduler.plan(at: uptime) {
        case .now(let trigger):
            if trigger.startsAnew { retry.failures = 0 }
            attempt(serverIsUp)
        case .at(let moment, _), .held(_, let moment):
            guard moment <= end else { return false }
            clock.advance(by: moment - uptime)
        case .idle, .when: return false
        }
        return true
    }

    private mutating func attempt(_ serverIsUp: Double) {
        if uptime < orderedUntil { violations += 1 }
        scheduler.attemptBegan()
        let succeeds = isReachable && Double.random(in: 0..<1, using: &random) < serverIsUp
        if succeeds {
            clock.advance(by: .milliseconds(Int64.random(in: 50...2000, using: &random)))
            failuresInARow = 0
            retry = RetryState()
            scheduler.attemptEnded(.progress, uptime: uptime)
            take(-min(queued, 500))
        } else {
            // Refused at once, or no answer until the timeout.
            clock.advance(by: .milliseconds(Int64.random(in: 5...30_000, using: &random)))
            failuresInARow += 1
            let ordered = ordersWaits && Bool.random(using: &random)
            let wait = ordered ? Interval.seconds(Int64.random(in: 1...900, using: &random)) : nil
            retry = retryPolicy.failed(retry, at: clock.now(), serverWait: wait, using: &random)
            let until = uptime + retry.wait
            if ordered { orderedUntil = until }
            scheduler.attemptEnded(.wait(until: until, ordered ? .serverWait : .backoff), uptime: uptime)
        }
    }
}
