import Holdfast
import HoldfastInMemory
import HoldfastKit
import HoldfastOpenSSL

/// A gate on this platform's adapters in a folder of its own, with an issuer that makes tickets for it. Only the clock
/// is set by hand, into the time in which the tickets are valid.
struct GateWorld {
    let issuer: OpenSSLSigner
    let ports: GatePorts

    init(_ bench: Bench) async throws {
        issuer = try OpenSSLSigner()
        var ports = try await GatePorts.platform(directory: bench.folder("gate"), diagnostics: CollectingDiagnostics())
        ports.clock = ManualClock(wall: Timestamp(milliseconds: 1_780_000_000_000))
        self.ports = ports
    }

    /// A gate at which every scan is an attempt of its own, with its keys installed.
    func gate(durability: Durability = .processDeath, revoked: Int = 0) async throws -> TicketGate {
        var policy = GatePolicy()
        policy.presence = .zero
        policy.durability = durability
        let gate = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), policy: policy, ports: ports)
        _ = try await gate.install(configuration: configuration(revoked: revoked))
        return gate
    }

    /// The key configuration, with so many revoked tickets.
    func configuration(revoked: Int = 0) -> [UInt8] {
        let ids = (0..<revoked).map { "\"R-\($0)\"" }.joined(separator: ",")
        return Array(
            """
            {"version":1,"events":[{"eventId":"EV1","keys":[{"keyId":"k1","publicKey":"\
            \(Base64URL.encode(issuer.publicKey.bytes))"}],"revoked":[\(ids)]}]}
            """.utf8
        )
    }

    /// The text of a genuine ticket.
    func ticket(_ id: String = "T-1") throws -> [UInt8] {
        let claims = """
            {"ticketId":"\(id)","eventId":"EV1","zoneId":"GA","issuedAt":"2026-05-01T00:00:00Z",\
            "validFrom":"2026-05-01T00:00:00Z","validTo":"2027-05-01T00:00:00Z","keyId":"k1"}
            """
        return Array(try TicketIssuer.text(claims: Array(claims.utf8), as: .holdfast, sign: issuer.sign).utf8)
    }

    /// Tickets for `paired`, each to be used once.
    func tickets(for paired: Paired) throws -> Tickets {
        Tickets(all: try (0..<(paired.turns + 1) * paired.operations).map { try ticket("S-\($0)") })
    }

    /// What `ticket` makes, read.
    static func read(_ text: [UInt8]) throws -> Ticket {
        guard case .ticket(let ticket) = TicketReader(.holdfast).read(text) else {
            throw MeasurementFailure("a genuine ticket cannot be read")
        }
        return ticket
    }
}

/// Tickets, each to be used once.
struct Tickets {
    let all: [[UInt8]]
    private var used = 0

    init(all: [[UInt8]]) { self.all = all }

    /// Shows the next `count` at `gate`, where they must be accepted.
    mutating func admit(_ count: Int, at gate: TicketGate) async throws {
        let next = all[used..<used + count]
        used += count
        for text in next {
            guard await gate.admit(text).isAccepted else { throw MeasurementFailure("a genuine ticket is denied") }
        }
    }
}
