import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Clocks, calendars, networks and hosts with one fault each.
final class WorldMutantTests: XCTestCase {
    func testClocks() async {
        typealias Change = @Sendable (inout ClockReading, UInt64) -> Void
        let goesBack: Change = { $0.uptime = Interval(milliseconds: Int64($1 % 7)) }
        let standsStill: Change = { reading, _ in reading.uptime = .hours(1) }
        let hasNoHands: Change = { reading, _ in reading.wall = Timestamp(milliseconds: 0) }
        let changesItsName: Change = { $0.boot = BootID("\($1)") }
        let hasNoName: Change = { reading, _ in reading.boot = BootID("") }
        let faults: [(Change, Set<String>)] = [
            (goesBack, ["uptime_never_goes_back", "time_passes", "many_may_read_at_once"]),
            (standsStill, ["time_passes"]), (hasNoHands, ["time_passes"]),
            (changesItsName, ["one_boot_has_one_name"]), (hasNoName, ["one_boot_has_one_name"]),
        ]
        for (index, (change, names)) in faults.enumerated() {
            let broken = await Conformance.deviceClock.run {
                let clock = MutantClock(change: change)
                return Conformance.ClockSubject(clock) { clock.clock.advance(by: $0) }
            }
            XCTAssertEqual(Set(broken.map(\.check)), names, "fault \(index)")
        }
    }

    private struct MutantClock: DeviceClock {
        let clock = ManualClock()
        let random = SeededRandom(seed: 9)
        let change: @Sendable (inout ClockReading, UInt64) -> Void
        func now() -> ClockReading {
            var reading = clock.now()
            change(&reading, random.next())
            return reading
        }
    }

    func testCalendars() async {
        struct Mutant: CivilCalendar {
            let answer: @Sendable (Timestamp, String) -> CivilDay?
            func day(of moment: Timestamp, in zone: String) -> CivilDay? { answer(moment, zone) }
        }
        let good = FixedCalendar()
        let fallsBack = await Conformance.civilCalendar.run { Mutant { moment, _ in good.day(of: moment, in: "UTC") } }
        XCTAssertEqual(fallsBack.map(\.check), ["an_unknown_zone_is_nil"])
        let rounds = await Conformance.civilCalendar.run { Mutant { good.day(of: $0 + .milliseconds(1), in: $1) } }
        XCTAssertEqual(rounds.map(\.check), ["a_day_ends_with_its_last_millisecond"])
        let julian = await Conformance.civilCalendar.run {
            Mutant { moment, zone in
                good.day(of: moment, in: zone).map { CivilDay(year: $0.year, month: $0.month, day: min($0.day, 28)) }
            }
        }
        XCTAssertTrue(julian.map(\.check).contains("knows_the_days_of_utc"))
    }

    func testNetworks() async {
        /// A network whose changes pass through something that spoils them.
        final class Mutant: Connectivity {
            let network = SwitchableConnectivity()
            let repeats: Bool
            let isStale: Bool
            init(repeats: Bool = false, isStale: Bool = false) { (self.repeats, self.isStale) = (repeats, isStale) }
            func current() -> ConnectivityStatus { isStale ? ConnectivityStatus(isReachable: true) : network.current() }
            func changes() -> AsyncStream<ConnectivityStatus> {
                let source = network.changes()
                let repeats = self.repeats
                return AsyncStream { continuation in
                    let task = Task {
                        for await change in source {
                            continuation.yield(change)
                            if repeats { continuation.yield(change) }
                        }
                    }
                    continuation.onTermination = { _ in task.cancel() }
                }
            }
        }
        let repeating = await Conformance.connectivity.run {
            let mutant = Mutant(repeats: true)
            return Conformance.StatusSubject(mutant) {
                mutant.network.set(reachable: !mutant.network.current().isReachable)
            }
        }
        XCTAssertTrue(repeating.map(\.check).contains("tells_each_change_once"))
        let stale = await Conformance.connectivity.run {
            let mutant = Mutant(isStale: true)
            return Conformance.StatusSubject(mutant) {
                mutant.network.set(reachable: !mutant.network.current().isReachable)
            }
        }
        XCTAssertTrue(stale.map(\.check).contains("current_follows_the_changes"))
    }

    func testTokens() async {
        struct Mutant: AccessTokenProvider {
            let answer: @Sendable (AccessToken?) -> AccessToken?
            func token(refused: AccessToken?) async throws -> AccessToken? { answer(refused) }
        }
        let random = SeededRandom(seed: 1)
        let restless = await Conformance.accessTokenProvider.run { Mutant { _ in AccessToken("\(random.next())") } }
        XCTAssertEqual(restless.count, 3)
        let none = await Conformance.accessTokenProvider.run { Mutant { _ in nil } }
        XCTAssertEqual(none.map(\.check), ["keeps_a_token_that_is_not_refused"])
        let hasty = await Conformance.accessTokenProvider.run { Mutant { AccessToken($0 == nil ? "a" : "b") } }
        XCTAssertEqual(hasty.map(\.check), ["an_old_refusal_changes_nothing"])
    }

    func testBackEnds() async {
        let id = FakeTests.record.scanID
        let faults: [(ScriptedBatchSender, Set<String>)] = [
            (
                ScriptedBatchSender(afterwards: .answer(.unauthorised)),
                ["takes_good_records", "answers_only_for_what_was_sent", "takes_the_same_records_again"]
            ),
            (
                ScriptedBatchSender(afterwards: .answer(.handled([EntryID(high: 9, low: 9): .accepted]))),
                ["answers_only_for_what_was_sent"]
            ),
            (
                ScriptedBatchSender(
                    [.accept, .accept, .accept],
                    afterwards: .answer(.handled([id: .rejected(reason: "again")]))
                ),
                ["takes_the_same_records_again"]
            ),
        ]
        for (index, (sender, names)) in faults.enumerated() {
            let broken = await Conformance.batchSender.run {
                Conformance.BatchSubject(sender, records: [FakeTests.record])
            }
            XCTAssertEqual(Set(broken.map(\.check)), names, "fault \(index)")
        }
    }

    func testSinks() async {
        struct Mutant: DiagnosticSink {
            let good = CollectingDiagnostics()
            func record(_ event: DiagnosticEvent) { if event.code == .storeFailed { good.record(event) } }
        }
        let broken = await Conformance.diagnosticSink.run {
            let sink = Mutant()
            return Conformance.DiagnosticSubject(sink) { sink.good.events.count }
        }
        XCTAssertEqual(broken.map(\.check), ["takes_kinds_it_does_not_know"])
    }
}
