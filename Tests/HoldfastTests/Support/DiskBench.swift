#if os(Linux)
import Foundation
import Holdfast
import HoldfastInMemory
import HoldfastLinux
import HoldfastOpenSSL
import HoldfastSQLite

/// A gate as it stands at a door: SQLite, OpenSSL and a vault of files, in a folder of its own.
final class DiskBench {
    let folder: URL
    let issuer: OpenSSLSigner
    let clock = ManualClock(wall: GateBench.start)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-gate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        issuer = try OpenSSLSigner(seed: Array(0..<32))
    }

    deinit {
        // What is left in the folder for temporary files is the system's to clear.
        try? FileManager.default.removeItem(at: folder)
    }

    func openStore() throws -> SQLiteQueueStore {
        try SQLiteQueueStore(
            path: folder.appendingPathComponent("gate.sqlite").path,
            diagnostics: CollectingDiagnostics()
        )
    }

    func ports(_ store: SQLiteQueueStore) throws -> GatePorts {
        GatePorts(
            journal: store,
            vault: try FileKeyVault(directory: folder.appendingPathComponent("vault").path),
            clock: clock,
            verifier: try OpenSSLVerifier(),
            cipher: try OpenSSLCipher(),
            digest: try OpenSSLDigest(),
            random: OpenSSLRandom(),
            calendar: ZoneInfoCalendar(),
            diagnostics: CollectingDiagnostics()
        )
    }

    /// A gate on `store`, with a configuration of event EV1 and its key installed, that takes every sighting as an
    /// attempt.
    func gate(
        _ store: SQLiteQueueStore,
        _ name: String = "north",
        members: String = "",
        durability: Durability = .powerLoss
    ) async throws -> TicketGate {
        var policy = GatePolicy()
        policy.presence = .zero
        policy.durability = durability
        let place = GatePlace(event: "EV1", zone: "GA", gate: name)
        let gate = try await TicketGate(at: place, policy: policy, ports: try ports(store))
        try await gate.install(configuration: configuration(members))
        return gate
    }

    func configuration(_ members: String = "", version: Int = 1) -> [UInt8] {
        let key = Base64URL.encode(issuer.publicKey.bytes)
        let event = #""eventId": "EV1", "timeZone": "Europe/Kyiv", "keys": [{"keyId": "k1", "publicKey": "\#(key)"}]"#
        return Array(#"{"version": \#(version), "events": [{\#(event)\#(members)}]}"#.utf8)
    }

    func ticket(_ id: String, as format: TicketIssuer.Format = .holdfast) throws -> String {
        let claims = """
            {"ticketId":"\(id)","eventId":"EV1","zoneId":"GA","issuedAt":"2026-01-01T00:00:00Z",\
            "validFrom":"2026-01-01T00:00:00Z","validTo":"2027-01-01T00:00:00Z"}
            """
        return try TicketIssuer.text(claims: Array(claims.utf8), as: format) { try issuer.sign($0) }
    }
}
#endif
