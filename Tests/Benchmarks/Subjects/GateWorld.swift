import Foundation
import Holdfast
import HoldfastDomain
import HoldfastInMemory
import HoldfastOpenSSL
import HoldfastSQLite

/// A gate on real adapters in a folder of its own, with an issuer that makes tickets for it.
struct GateWorld {
    let issuer: OpenSSLSigner
    let verifier: OpenSSLVerifier
    let ports: GatePorts
    let store: SQLiteQueueStore
    let folder: URL
    let clock = ManualClock(wall: Timestamp(milliseconds: 1_780_000_000_000))

    init(folder: URL) throws {
        self.folder = folder
        issuer = try OpenSSLSigner()
        verifier = try OpenSSLVerifier()
        let diagnostics = CollectingDiagnostics()
        store = try SQLiteQueueStore(
            path: folder.appendingPathComponent("gate.sqlite").path,
            diagnostics: diagnostics
        )
        ports = GatePorts(
            journal: store,
            vault: InMemoryKeyVault(),
            clock: clock,
            verifier: verifier,
            cipher: try OpenSSLCipher(),
            digest: try OpenSSLDigest(),
            random: OpenSSLRandom(),
            calendar: FixedCalendar(),
            diagnostics: diagnostics
        )
    }

    /// A gate at which every scan is an attempt of its own.
    func gate(durability: Durability) async throws -> TicketGate {
        var policy = GatePolicy()
        policy.presence = .zero
        policy.durability = durability
        return try await TicketGate(at: GatePlace(event: "EV1", zone: "GA"), policy: policy, ports: ports)
    }

    /// The key configuration of version `version`, with so many revoked tickets.
    func configuration(version: Int64, revoked: Int = 0) -> [UInt8] {
        let ids = (0..<revoked).map { "\"R-\($0)\"" }.joined(separator: ",")
        return Array(
            """
            {"version":\(version),"events":[{"eventId":"EV1","keys":[{"keyId":"k1","publicKey":"\
            \(Base64URL.encode(issuer.publicKey.bytes))"}],"revoked":[\(ids)]}]}
            """.utf8
        )
    }

    /// The texts of genuine tickets that differ in their ids.
    func tickets(_ count: Int, prefix: String) throws -> [[UInt8]] {
        try (0..<count).map { number in
            let claims = """
                {"ticketId":"\(prefix)-\(number)","eventId":"EV1","zoneId":"GA","issuedAt":"2026-05-01T00:00:00Z",\
                "validFrom":"2026-05-01T00:00:00Z","validTo":"2027-05-01T00:00:00Z","keyId":"k1"}
                """
            let text = try TicketIssuer.text(claims: Array(claims.utf8), as: .holdfast, sign: issuer.sign)
            return Array(text.utf8)
        }
    }
}

/// A scan did not come out as it must, so its time means nothing.
struct UnexpectedDecision: Error {}
