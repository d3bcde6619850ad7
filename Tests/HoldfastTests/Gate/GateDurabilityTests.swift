import Holdfast
import HoldfastInMemory
import XCTest

/// What is asked of the journal: a green light, and a configuration, survive a power loss.
final class GateDurabilityTests: XCTestCase {
    private let bench = GateBench()

    private func gate(_ journal: NotingJournal, _ change: (inout GatePolicy) -> Void = { _ in }) async throws
        -> TicketGate
    {
        var ports = bench.ports
        ports.journal = journal
        var policy = GatePolicy()
        policy.presence = .zero
        change(&policy)
        return try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), policy: policy, ports: ports)
    }

    func testEverythingThatIsRecordedSurvivesAPowerLoss() async throws {
        let journal = NotingJournal(base: bench.journal)
        let gate = try await gate(journal)
        try await gate.install(configuration: bench.configuration())
        let admitted = await gate.admit(try bench.ticket("T-1"))
        _ = await gate.admit("nonsense")
        try await gate.annul(admitted.scanID)
        let asked = await journal.asked
        XCTAssertEqual(asked, [.configuration: [.powerLoss], .gate: [.powerLoss, .powerLoss, .powerLoss]])
    }

    func testAHostMayAskForLessOfItsRecordsButNotOfItsKeys() async throws {
        let journal = NotingJournal(base: bench.journal)
        let gate = try await gate(journal) { $0.durability = .processDeath }
        try await gate.install(configuration: bench.configuration())
        _ = await gate.admit(try bench.ticket("T-1"))
        let asked = await journal.asked
        XCTAssertEqual(asked, [.configuration: [.powerLoss], .gate: [.processDeath]])
    }
}

/// Notes what each append is to survive.
private actor NotingJournal: JournalWrapper {
    let base: any Journal
    private(set) var asked: [StreamName: [Durability]] = [:]

    init(base: any Journal) { self.base = base }

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        for stream in Set(drafts.map(\.stream)) { asked[stream, default: []].append(durability) }
        return try await base.append(drafts, durability: durability)
    }
}
