import CHoldfastBaseline
import Foundation
import Holdfast
import HoldfastDomain

/// Reading, verifying, deciding and recording at a gate.
enum GateBenchmarks {
    /// What an entry of a scan takes, sealed: the size of the baseline's rows.
    private static let rowBytes = 420

    static func run(in folder: URL) async throws -> [Comparison] {
        let world = try GateWorld(folder: folder)
        let gate = try await world.gate(durability: .processDeath)
        _ = try await gate.install(configuration: world.configuration(version: 1))
        var rows = try await reading(world)
        rows.append(try await examining(world))
        rows += try await recording(world)
        rows.append(try await rememberingMillions(world))
        await world.store.close()
        return rows
    }

    private static func reading(_ world: GateWorld) async throws -> [Comparison] {
        let text = try world.tickets(1, prefix: "R")[0]
        let reader = TicketReader(.holdfast)
        let (subject, _) = try await Paired(turns: 15, operations: 5000).measure(
            subject: { count in
                for _ in 0..<count {
                    guard case .ticket = reader.read(text) else { throw UnexpectedDecision() }
                }
            },
            baseline: { _ in }
        )
        return [
            Comparison(name: "QR text → ticket", subject: subject, baseline: 2000, against: "2 µs flat", budget: 1)
        ]
    }

    private static func examining(_ world: GateWorld) async throws -> Comparison {
        let text = try world.tickets(1, prefix: "V")[0]
        let judge = TicketJudge(
            configuration: try KeyConfiguration.read(
                world.configuration(version: 1),
                signedBy: nil,
                verifier: world.verifier,
                calendar: world.ports.calendar
            ),
            place: GatePlace(event: "EV1", zone: "GA")
        )
        let reader = TicketReader(.holdfast)
        guard case .ticket(let ticket) = reader.read(text) else { throw UnexpectedDecision() }
        let now = world.clock.now()
        let (subject, bare) = try await Paired(turns: 15, operations: 400).measure(
            subject: { count in
                for _ in 0..<count {
                    let finding = try judge.examine(
                        reader.read(text),
                        at: now,
                        clock: .anchored,
                        verifier: world.verifier
                    )
                    guard finding.reasons.isEmpty else { throw UnexpectedDecision() }
                }
            },
            baseline: { count in
                for _ in 0..<count {
                    guard
                        try world.verifier.isValid(
                            ticket.signature,
                            over: ticket.signedBytes,
                            by: world.issuer.publicKey
                        )
                    else { throw UnexpectedDecision() }
                }
            }
        )
        return Comparison(
            name: "read + verify + rules",
            subject: subject,
            baseline: bare,
            against: "the adapter's bare verify",
            budget: 1.05
        )
    }

    private static func recording(_ world: GateWorld) async throws -> [Comparison] {
        var rows: [Comparison] = []
        for (durability, full, name) in [
            (Durability.processDeath, Int32(0), "NORMAL"), (.powerLoss, 1, "FULL"),
        ] {
            let gate = try await world.gate(durability: durability)
            let path = world.folder.appendingPathComponent("bare-\(name).sqlite").path
            guard let bare = baseline_store_open(path, full) else { throw BaselineFailure() }
            defer { baseline_store_close(bare) }
            let paired = Paired(turns: 15, operations: 200)
            var queue = Tickets(try world.tickets(16 * paired.operations, prefix: "S-\(name)"))
            guard case .ticket(let one) = TicketReader(.holdfast).read(queue.all[0]) else {
                throw UnexpectedDecision()
            }
            let (subject, baseline) = try await paired.measure(
                subject: { try await admit(queue.next($0), at: gate) },
                baseline: { count in
                    for _ in 0..<count {
                        try check(
                            baseline_verify(
                                1,
                                world.issuer.publicKey.bytes,
                                one.signedBytes,
                                one.signedBytes.count,
                                one.signature
                            )
                        )
                        try check(baseline_store_insert(bare, 1, 1, rowBytes))
                    }
                }
            )
            rows.append(
                Comparison(
                    name: "scan, recorded (\(name))",
                    subject: subject,
                    baseline: baseline,
                    against: "bare verify + one bare commit",
                    budget: 1.25
                )
            )
        }
        return rows
    }

    /// The same scan with a million used and a million revoked tickets as with none.
    private static func rememberingMillions(_ world: GateWorld) async throws -> Comparison {
        let emptyFolder = world.folder.appendingPathComponent("empty")
        let fullFolder = world.folder.appendingPathComponent("full")
        for folder in [emptyFolder, fullFolder] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let empty = try GateWorld(folder: emptyFolder)
        let full = try GateWorld(folder: fullFolder)
        try await fill(full.ports, with: 1_000_000)
        let emptyGate = try await empty.gate(durability: .processDeath)
        let fullGate = try await full.gate(durability: .processDeath)
        _ = try await emptyGate.install(configuration: empty.configuration(version: 1))
        _ = try await fullGate.install(configuration: full.configuration(version: 1, revoked: 1_000_000))
        let paired = Paired(turns: 15, operations: 200)
        var first = Tickets(try full.tickets(16 * paired.operations, prefix: "M"))
        var second = Tickets(try empty.tickets(16 * paired.operations, prefix: "M"))
        let (subject, baseline) = try await paired.measure(
            subject: { try await admit(first.next($0), at: fullGate) },
            baseline: { try await admit(second.next($0), at: emptyGate) }
        )
        await full.store.close()
        await empty.store.close()
        return Comparison(
            name: "scan with 1 M used and 1 M revoked",
            subject: subject,
            baseline: baseline,
            against: "the same with none",
            budget: 1.2
        )
    }

    /// Gives the journal so many used tickets: delivered admissions that must still be remembered.
    private static func fill(_ ports: GatePorts, with count: Int) async throws {
        let sealed = [UInt8](repeating: 0x5a, count: rowBytes)
        let chunk = 10_000
        for start in stride(from: 0, to: count, by: chunk) {
            let drafts = (start..<min(count, start + chunk)).map { _ in
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

    private static func admit(_ texts: ArraySlice<[UInt8]>, at gate: TicketGate) async throws {
        for text in texts {
            guard await gate.admit(text).isAccepted else { throw UnexpectedDecision() }
        }
    }
}

/// Tickets, each to be used once.
private struct Tickets {
    let all: [[UInt8]]
    private var used = 0

    init(_ all: [[UInt8]]) { self.all = all }

    mutating func next(_ count: Int) -> ArraySlice<[UInt8]> {
        defer { used += count }
        return all[used..<min(all.count, used + count)]
    }
}
