import Holdfast
import HoldfastDomain
import HoldfastInMemory

/// Everything a test of a gate needs: fakes, an issuer, and tickets made to order.
final class GateBench: Sendable {
    static let start = Timestamp(rfc3339: "2026-06-01T18:00:00Z") ?? .distantPast

    let journal = InMemoryQueueStore()
    let vault = InMemoryKeyVault()
    let clock = ManualClock(wall: start)
    let diagnostics = CollectingDiagnostics()
    let random = SeededRandom(seed: 1)
    let issuer = ToySigner(seed: 7)
    let other = ToySigner(seed: 8)

    var ports: GatePorts {
        GatePorts(
            journal: journal,
            vault: vault,
            clock: clock,
            verifier: ToyVerifier(),
            cipher: ToyCipher(),
            digest: SoftwareDigest(),
            random: random,
            calendar: FixedCalendar(["UTC": .zero, "Europe/Kyiv": .hours(3)]),
            diagnostics: diagnostics
        )
    }

    /// A gate of event EV1, zone GA, that takes every sighting as an attempt unless the policy says otherwise.
    func gate(
        _ name: String = "north",
        event: String = "EV1",
        zone: String = "GA",
        direction: GateRecord.Direction = .entry,
        policy change: (inout GatePolicy) -> Void = { _ in }
    ) async throws -> TicketGate {
        var policy = GatePolicy()
        policy.presence = .zero
        change(&policy)
        let place = GatePlace(event: event, zone: zone, gate: name, direction: direction)
        return try await TicketGate(at: place, policy: policy, ports: ports)
    }

    /// A gate with the bench's configuration installed.
    func openGate(
        _ event: String = "",
        version: Int = 1,
        policy change: (inout GatePolicy) -> Void = { _ in }
    ) async throws -> TicketGate {
        let gate = try await gate(policy: change)
        try await gate.install(configuration: configuration(event, version: version))
        return gate
    }

    /// A configuration with events EV1 (key `k1`, of the issuer) and EV2 (key `k2`, of the other). `extra` are further
    /// members of EV1, such as `"admission": {"entries": 2}`.
    func configuration(_ extra: String = "", version: Int = 1, more: String = "") -> [UInt8] {
        let members = extra.isEmpty ? "" : ", \(extra)"
        let document = """
            {"version": \(version), "events": [
              {"eventId": "EV1", "timeZone": "Europe/Kyiv",
               "keys": [{"keyId": "k1", "publicKey": "\(Base64URL.encode(issuer.publicKey.bytes))"}]\(members)},
              {"eventId": "EV2", "keys": [{"keyId": "k2", "publicKey": "\(Base64URL.encode(other.publicKey.bytes))"}]}
            ]\(more.isEmpty ? "" : ", \(more)")}
            """
        return Array(document.utf8)
    }

    /// A signed ticket, valid from 17:00 to 23:00 on the bench's day, with some claims set otherwise (nil: left out).
    func ticket(_ id: String, _ changes: [String: JSONValue?] = [:], signedBy signer: ToySigner? = nil) throws -> String
    {
        var claims: JSONObject = [
            "ticketId": .string(id), "eventId": "EV1", "zoneId": "GA", "issuedAt": "2026-05-01T00:00:00Z",
            "validFrom": "2026-06-01T17:00:00Z", "validTo": "2026-06-01T23:00:00Z", "keyId": "k1",
        ]
        for (name, value) in changes { claims[name] = value }
        return try TicketIssuer.text(claims: try JSONValue.object(claims).encoded(), as: .holdfast) {
            (signer ?? issuer).sign($0)
        }
    }

    /// Every record in the journal, oldest first.
    func records() async throws -> [GateRecord] {
        try await gate("auditor").records(limit: 10_000).compactMap(\.record)
    }
}
