import Holdfast
import HoldfastInMemory
import XCTest

/// Two processes that install a configuration at the same moment: between the look of one at what is in force and its
/// own step, the other is done.
final class ConfigurationRaceTests: XCTestCase {
    private let bench = GateBench()

    /// Installs `mine` at a gate while another gate installs `theirs` in between; what came of mine, and what both
    /// gates then hold.
    private func race(
        _ mine: [UInt8],
        against theirs: [UInt8]
    ) async throws -> (refusal: ConfigurationError.Code?, mine: KeyConfiguration?, theirs: KeyConfiguration?) {
        let other = try await bench.gate("south")
        try await other.install(configuration: bench.configuration(version: 1))
        var ports = bench.ports
        ports.journal = InterruptedJournal(
            base: bench.journal,
            interruption: Interruption { _ = try await other.install(configuration: theirs) }
        )
        let place = GatePlace(event: "EV1", zone: "GA", gate: "north")
        let gate = try await TicketGate(at: place, ports: ports)
        var refusal: ConfigurationError.Code?
        do { try await gate.install(configuration: mine) } catch { refusal = (error as? ConfigurationError)?.code }
        try await other.refreshConfiguration()
        return (refusal, gate.configuration, other.configuration)
    }

    private func assertOneIsInForce(_ version: Int64, revoking: Bool, line: UInt = #line) async throws {
        let restarted = try await bench.gate("restarted")
        XCTAssertEqual(restarted.configuration?.version, version, line: line)
        let decision = await restarted.admit(try bench.ticket("T-1"))
        XCTAssertEqual(decision.reasons, revoking ? [.revoked] : [], line: line)
        try await restarted.keepHouse()
        let kept = try await bench.journal.entries(.configuration, after: 0, limit: 10)
        XCTAssertEqual(kept.count, 1, line: line)
    }

    private func revoking(version: Int) -> [UInt8] {
        bench.configuration(#""revoked": ["T-1"]"#, version: version)
    }

    func testTheSameVersionWithOtherContentIsRefused() async throws {
        let outcome = try await race(bench.configuration(version: 2), against: revoking(version: 2))
        XCTAssertEqual(outcome.refusal, .sameVersionDifferentContent)
        XCTAssertEqual(outcome.mine, outcome.theirs, "and the one that has won is followed")
        try await assertOneIsInForce(2, revoking: true)
    }

    func testTheSameVersionWithTheSameContentIsNoError() async throws {
        let outcome = try await race(revoking(version: 2), against: revoking(version: 2) + Array(" \n".utf8))
        XCTAssertNil(outcome.refusal)
        XCTAssertEqual(outcome.mine, outcome.theirs)
        try await assertOneIsInForce(2, revoking: true)
    }

    func testANewerOneInBetweenWins() async throws {
        let outcome = try await race(bench.configuration(version: 2), against: revoking(version: 3))
        XCTAssertEqual(outcome.refusal, .olderVersion)
        XCTAssertEqual(outcome.mine?.version, 3)
        try await assertOneIsInForce(3, revoking: true)
    }

    func testAnOlderOneInBetweenIsReplaced() async throws {
        let outcome = try await race(bench.configuration(version: 3), against: revoking(version: 2))
        XCTAssertNil(outcome.refusal)
        XCTAssertEqual(outcome.mine?.version, 3)
        XCTAssertEqual(outcome.theirs?.version, 3)
        try await assertOneIsInForce(3, revoking: false)
    }

    func testOneThatWasReadBeforeANewerWasInstalledDoesNotReplaceIt() async throws {
        let other = try await bench.gate("south")
        try await other.install(configuration: bench.configuration(version: 1))
        let interruption = Interruption()
        var ports = bench.ports
        ports.journal = LaggingJournal(base: bench.journal, interruption: interruption)
        let gate = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), ports: ports)
        try await other.install(configuration: bench.configuration(version: 2))
        let newest = revoking(version: 3)
        await interruption.plan { try await gate.install(configuration: newest) }
        try await gate.refreshConfiguration()
        XCTAssertEqual(gate.configuration?.version, 3)
        let decision = await gate.admit(try bench.ticket("T-1"))
        XCTAssertEqual(decision.reasons, [.revoked])
    }
}

/// Lets something happen once after the next look at a subject, before whoever looked knows.
private struct LaggingJournal: JournalWrapper {
    let base: any Journal
    let interruption: Interruption

    func latest(_ subject: Subject) async throws -> Entry? {
        let entry = try await base.latest(subject)
        try await interruption.happen()
        return entry
    }
}

/// Lets something happen once before the next configuration is appended.
private struct InterruptedJournal: JournalWrapper {
    let base: any Journal
    let interruption: Interruption

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        if drafts.contains(where: { $0.stream == .configuration }) { try await interruption.happen() }
        return try await base.append(drafts, durability: durability)
    }
}

private actor Interruption {
    private var work: (@Sendable () async throws -> Void)?

    init(_ work: (@Sendable () async throws -> Void)? = nil) { self.work = work }

    func plan(_ work: @escaping @Sendable () async throws -> Void) { self.work = work }

    func happen() async throws {
        let work = work
        self.work = nil
        try await work?()
    }
}
