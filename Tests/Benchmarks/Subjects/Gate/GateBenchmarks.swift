import CHoldfastBaseline
import Holdfast
import HoldfastOpenSSL

/// Reading, verifying, deciding and recording at a gate.
enum GateBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark("QR text → ticket", measure: reading),
            Benchmark("read + verify + rules", measure: examining),
            Benchmark("scan, recorded (NORMAL)") { try await recording($0, $1, .processDeath) },
            Benchmark("scan, recorded (FULL)") { try await recording($0, $1, .powerLoss) },
            Benchmark("scan, recorded, the same index") { try await recording($0, $1, .processDeath, placed: true) },
            Benchmark("scan with 1 M used and 1 M revoked", measure: remembering),
        ]
    }

    /// What a sealed record of a scan takes: the size of the baseline's rows.
    private static let rowBytes = 560

    private static func reading(_ name: String, _ bench: Bench) async throws -> Comparison {
        let text = try await GateWorld(bench).ticket()
        let reader = TicketReader(.holdfast)
        let result = try Paired(turns: bench.turns(200), operations: 1000).measureOnThread { count in
            for _ in 0..<count {
                guard case .ticket = reader.read(text) else { throw MeasurementFailure("unread") }
            }
        }
        let figures = Spread(result.subject.map(\.cpu))
        return Comparison(name, figures, of: 2000, against: "2 µs flat", unit: .nanoseconds, clock: .cpu)
    }

    private static func examining(_ name: String, _ bench: Bench) async throws -> Comparison {
        let world = try await GateWorld(bench)
        let (text, ticket) = (try world.ticket(), try GateWorld.read(world.ticket()))
        let (verifier, now) = (world.ports.verifier, world.ports.clock.now())
        let judge = TicketJudge(
            configuration: try KeyConfiguration.read(
                world.configuration(),
                signedBy: nil,
                verifier: verifier,
                calendar: world.ports.calendar
            ),
            place: GatePlace(event: "EV1", zone: "GA")
        )
        let reader = TicketReader(.holdfast)
        let result = try Paired(turns: bench.turns(300), operations: 20).measureOnThread(
            subject: { count in
                for _ in 0..<count {
                    let reading = reader.read(text)
                    let finding = try judge.examine(reading, at: now, clock: .anchored, verifier: verifier)
                    guard finding.reasons.isEmpty else { throw MeasurementFailure("denied") }
                }
            },
            baseline: { count in
                let key = world.issuer.publicKey
                for _ in 0..<count {
                    guard try verifier.isValid(ticket.signature, over: ticket.signedBytes, by: key) else {
                        throw MeasurementFailure("not valid")
                    }
                }
            }
        )
        return Comparison(name, result, .cpu, against: "the adapter's bare verify", budget: .atMost(1.05))
    }

    private static func recording(
        _ name: String,
        _ bench: Bench,
        _ durability: Durability,
        placed: Bool = false
    ) async throws -> Comparison {
        let isFull = durability == .powerLoss
        let world = try await GateWorld(bench)
        let gate = try await world.gate(durability: durability)
        let key = baseline_key_open(world.issuer.publicKey.bytes)
        let store = baseline_store_open(try bench.folder("bare") + "/bare.sqlite", isFull ? 1 : 0)
        defer {
            baseline_key_close(key)
            baseline_store_close(store)
        }
        let paired = Paired(turns: bench.turns(isFull ? 200 : 1000), operations: isFull ? 2 : 4)
        var tickets = try world.tickets(for: paired)
        // Both sides verify the same ones: a processor learns to verify one signature again and again, and is quicker.
        var signed = try tickets.all.map(GateWorld.read)[...]
        let result = try await paired.measure(
            subject: { try await tickets.admit($0, at: gate) },
            baseline: { count in
                for ticket in signed.prefix(count) {
                    try check(baseline_verify(key, 1, ticket.signedBytes, ticket.signedBytes.count, ticket.signature))
                    try check(baseline_store_insert(store, 1, 1, rowBytes, placed ? 1 : 0))
                }
                signed = signed.dropFirst(count)
            }
        )
        // With the second index, without which no ticket is accepted only once, it is told what is ours in the rest.
        return placed
            ? Comparison(name, result, against: "bare verify + one bare commit of two tables", budget: nil)
            : Comparison(name, result, against: "bare verify + one bare commit", budget: .atMost(1.25))
    }

    private static func remembering(_ name: String, _ bench: Bench) async throws -> Comparison {
        let (empty, full) = (try await GateWorld(bench), try await GateWorld(bench))
        let emptyGate = try await empty.gate()
        let fullGate = try await full.gate(revoked: 1_000_000)
        try await fill(full.ports, with: 1_000_000)
        let paired = Paired(turns: bench.turns(1000), operations: 4)
        var (few, many) = (try empty.tickets(for: paired), try full.tickets(for: paired))
        let result = try await paired.measure(
            subject: { try await many.admit($0, at: fullGate) },
            baseline: { try await few.admit($0, at: emptyGate) }
        )
        return Comparison(name, result, against: "the same with none", budget: .atMost(1.2))
    }

    /// Gives the journal so many used tickets, whose use must still be remembered.
    private static func fill(_ ports: GatePorts, with count: Int) async throws {
        let sealed = [UInt8](repeating: 0x5a, count: rowBytes)
        for _ in 0..<count / 10_000 {
            let drafts = (0..<10_000).map { _ in
                Draft(
                    id: EntryID(random: ports.random),
                    stream: .gate,
                    recordedAt: ports.clock.now().wall,
                    place: SubjectVersion(subject: Subject(bytes: ports.random.bytes(32)), version: 1),
                    keyID: KeyID(1),
                    sealed: sealed,
                    keepUntil: .distantFuture
                )
            }
            _ = try await ports.journal.append(drafts, durability: .processDeath)
        }
    }
}
