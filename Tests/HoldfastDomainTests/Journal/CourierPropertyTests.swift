import Foundation
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Whatever fails, in whatever order: every entry arrives at least once, is settled once, and none is lost or stuck.
final class CourierPropertyTests: XCTestCase {
    func testNothingIsLostOrStuckUnderAnyFaults() async throws {
        for seed in 0..<2000 {
            let world = World(seed: UInt64(seed))
            for _ in 0..<25 { try await world.act() }
            let isDone = await world.heal()
            XCTAssertTrue(isDone, "seed \(seed): stuck")
            let statistics = try await world.rig.store.statistics(world.rig.stream)
            let server = await world.server.received
            XCTAssertTrue(server.isSuperset(of: world.acknowledged), "seed \(seed): never arrived")
            XCTAssertEqual(statistics.losses, [:], "seed \(seed)")
            XCTAssertEqual(statistics.queued, 0, "seed \(seed)")
            XCTAssertEqual(statistics.delivered, Int(statistics.lastSequence), "seed \(seed): not each settled once")
            XCTAssertGreaterThanOrEqual(Int(statistics.lastSequence), world.acknowledged.count)
        }
    }

    /// The same with entries that the server fails at: those stay queued until it is mended, all others arrive before.
    func testEntriesThatTheServerFailsAtHoldNobodyUp() async throws {
        for seed in 0..<500 {
            let world = World(seed: UInt64(seed), bad: .crash)
            for _ in 0..<25 { try await world.act() }
            let others = world.acknowledged.filter { !BackEnd.Received.isBad($0) }
            let isDelivered = await world.heal { $0.isSuperset(of: others) }
            XCTAssertTrue(isDelivered, "seed \(seed): stuck")
            let states = try await world.rig.states()
            for id in world.acknowledged where BackEnd.Received.isBad(id) {
                XCTAssertEqual(states[id], .queued, "seed \(seed)")
            }
            await world.backEnd.mend()
            let isDone = await world.heal()
            XCTAssertTrue(isDone, "seed \(seed): not mended")
            let end = Set(try await world.rig.states().values)
            XCTAssertTrue(end.isSubset(of: [.delivered]), "seed \(seed)")
        }
    }

    /// The same with entries that are refused: those are set aside and counted, all others arrive.
    func testBadEntriesAreSetAsideAndOnlyThose() async throws {
        for seed in 0..<500 {
            let world = World(seed: UInt64(seed), bad: .refuse)
            for _ in 0..<25 { try await world.act() }
            let isDone = await world.heal()
            XCTAssertTrue(isDone, "seed \(seed): stuck")
            let states = try await world.rig.states()
            let server = await world.server
            for id in world.acknowledged {
                let isBad = BackEnd.Received.isBad(id)
                let state = try XCTUnwrap(states[id], "seed \(seed): lost")
                XCTAssertEqual(state, isBad ? .deadLettered(.rejected, note: nil) : .delivered, "seed \(seed)")
                XCTAssertEqual(server.received.contains(id), !isBad, "seed \(seed)")
            }
            let losses = try await world.rig.store.statistics(world.rig.stream).losses[.rejected, default: 0]
            XCTAssertEqual(losses, states.keys.filter(BackEnd.Received.isBad).count, "seed \(seed)")
        }
    }
}

/// A device, its server, and everything that can happen to them.
// One test drives it, a call at a time.
private final class World: @unchecked Sendable {
    let rig: JournalRig
    let dice: Dice
    let faults: FaultyStore
    let backEnd: BackEnd
    private(set) var acknowledged: Set<EntryID> = []
    private var courier: Courier?
    private var isLocked = false

    var server: BackEnd.Received { get async { await backEnd.state } }

    init(seed: UInt64, bad: BackEnd.Reaction = .take) {
        dice = Dice(seed: seed)
        rig = JournalRig(random: SeededRandom(seed: seed &+ 1), cipher: ToyCipher(random: SeededRandom(seed: seed)))
        faults = FaultyStore(base: rig.store, dice: dice)
        backEnd = BackEnd(dice: dice, bad: bad)
        restart()
    }

    /// A new process: all it has is what is stored.
    private func restart() {
        courier = Courier(
            stream: rig.stream,
            store: faults,
            sealer: rig.sealer(),
            delivery: backEnd,
            clock: rig.clock,
            random: rig.random,
            diagnostics: rig.diagnostics,
            policy: CourierPolicy(
                maxCount: 1 + dice.roll(8),
                maxBodyBytes: 40 + dice.roll(200),
                keepsDelivered: true,
                rejection: .isolate(tries: 1000)
            )
        )
    }

    func act() async throws {
        switch dice.roll(12) {
        case 0...2:
            guard !isLocked else { return }
            acknowledged.formUnion(try await rig.append(count: dice.roll(6)))
        case 3...6: _ = await courier?.step(ignoringBackOff: dice.roll(3) == 0)
        case 7: restart()
        case 8: rig.clock.advance(by: .seconds(Int64(dice.roll(400))))
        case 9: rig.clock.setWall(rig.clock.now().wall + .seconds(Int64(dice.roll(2_000_000)) - 1_000_000))
        case 10:
            if dice.roll(4) == 0 { rig.clock.reboot(after: .seconds(Int64(dice.roll(500)))) }
            restart()
        default:
            isLocked.toggle()
            isLocked ? rig.keys.lock() : rig.keys.unlock()
            if !isLocked, dice.roll(2) == 0 { _ = try await rig.ring().rotate() }
        }
    }

    /// Ends all faults; then the queue must be empty within a bounded number of steps and waits, or the server must have
    /// received what it should.
    func heal(_ hasReceivedAll: (Set<EntryID>) -> Bool = { _ in false }) async -> Bool {
        rig.keys.unlock()
        await faults.heal()
        await backEnd.heal()
        for _ in 0..<2000 {
            let step = await courier?.step()
            if hasReceivedAll(await server.received) { return true }
            switch step {
            case .idle: return true
            case .waiting(let interval, _): rig.clock.advance(by: interval)
            default: break
            }
        }
        return false
    }
}

/// Dice that always fall the same for the same seed.
// The source behind it is locked.
private final class Dice: Sendable {
    private let source: SeededRandom
    init(seed: UInt64) { source = SeededRandom(seed: seed &* 0x9e37 &+ 11) }
    func roll(_ sides: Int) -> Int { Int(source.next() % UInt64(max(1, sides))) }
}

/// A store whose calls fail now and then, before or after they took effect, as when a process dies in them.
private actor FaultyStore: JournalWrapper {
    let base: any Journal
    private let dice: Dice
    private var isHealed = false

    init(base: any Journal, dice: Dice) {
        self.base = base
        self.dice = dice
    }

    func heal() { isHealed = true }

    private func fault<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let fate = isHealed ? 9 : dice.roll(10)
        if fate == 0 { throw QueueStoreError(.busy) }
        let result = try await body()
        if fate == 1 { throw QueueStoreError(.inputOutput) }
        return result
    }

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        try await fault { try await base.append(drafts, durability: durability) }
    }
    func latest(_ subject: Subject) async throws -> Entry? { try await fault { try await base.latest(subject) } }
    func lease(_ request: LeaseRequest) async throws -> Lease? { try await fault { try await base.lease(request) } }
    func settle(
        _ lease: Lease.ID,
        of stream: StreamName,
        outcomes: [EntryID: EntryOutcome],
        retry: RetryState
    ) async throws {
        try await fault { try await base.settle(lease, of: stream, outcomes: outcomes, retry: retry) }
    }
    func trim(_ stream: StreamName, to retention: Retention, now: Timestamp) async throws -> TrimReport {
        try await fault { try await base.trim(stream, to: retention, now: now) }
    }
    func recordLosses(_ losses: [LossReason: Int], of stream: StreamName) async throws {
        try await fault { try await base.recordLosses(losses, of: stream) }
    }
    func statistics(_ stream: StreamName) async throws -> StreamStatistics {
        try await fault { try await base.statistics(stream) }
    }
}

/// A back end that answers in every way, and whose answers are sometimes lost.
private actor BackEnd: BatchDelivery {
    struct Received: Sendable {
        var received: Set<EntryID> = []
        static func isBad(_ id: EntryID) -> Bool { id.low % 7 == 0 }
    }

    /// What it does about a batch with a bad entry.
    enum Reaction { case take, refuse, crash }

    nonisolated let framing = BatchFraming(overhead: 2, separator: 1)
    private(set) var state: Received
    private let dice: Dice
    private var bad: Reaction
    private var isHealed = false

    init(dice: Dice, bad: Reaction) {
        self.dice = dice
        self.bad = bad
        state = Received()
    }

    func heal() { isHealed = true }

    func mend() { bad = .take }

    nonisolated func size(of entry: OpenedEntry) -> Int? { entry.payload.count }

    func deliver(_ batch: [OpenedEntry]) -> DeliveryResult {
        if bad != .take, batch.contains(where: { Received.isBad($0.id) }) {
            return DeliveryResult(bad == .refuse ? .rejected(note: nil) : .serverFault)
        }
        switch isHealed ? 9 : dice.roll(12) {
        case 0: return DeliveryResult(.backOff(serverWait: nil))
        case 1: return DeliveryResult(.backOff(serverWait: .seconds(Int64(dice.roll(300)))))
        case 2: return DeliveryResult(dice.roll(2) == 0 ? .hold(.unauthorised) : .serverFault)
        case 3: return batch.count > 1 ? DeliveryResult(.split) : DeliveryResult(.interrupted)
        case 4:  // the answer is lost
            state.received.formUnion(batch.map(\.id))
            return DeliveryResult(.backOff(serverWait: nil))
        case 5:  // only some are taken, and only some are answered
            var outcomes: [EntryID: DeliveryOutcome] = [:]
            for entry in batch where dice.roll(3) > 0 {
                outcomes[entry.id] = dice.roll(2) == 0 ? .retry : .delivered
                if outcomes[entry.id] == .delivered { state.received.insert(entry.id) }
            }
            return DeliveryResult(.proceed, outcomes: outcomes)
        default:
            state.received.formUnion(batch.map(\.id))
            return .delivered(batch)
        }
    }
}
