import Holdfast
import HoldfastInMemory
import XCTest

final class DenialCodeTests: XCTestCase {
    /// Every stable code comes out of a real gate, and into its journal, by its stable name.
    func testEveryCodeIsReachable() async throws {
        let bench = GateBench()
        var seen: [DenialCode] = []
        func show(_ text: String, at gate: TicketGate) async { seen += await gate.admit(text).reasons }

        let exit = try await bench.gate("out", direction: .exit)
        await show(try bench.ticket("T-0"), at: exit)  // no_keys
        let stolen = Base64URL.encode(bench.other.publicKey.bytes)
        let gate = try await bench.gate { $0.maxConfigurationAge = .days(30) }
        try await gate.install(
            configuration: Array(
                String(decoding: bench.configuration(#""revoked": ["T-13"]"#), as: UTF8.self).replacingOccurrences(
                    of: #""keys": [{"keyId": "k1","#,
                    with: """
                        "keys": [{"keyId": "stolen", "publicKey": "\(stolen)", "status": "compromised"},
                                 {"keyId": "old", "publicKey": "\(stolen)", "notAfter": "2026-01-01T00:00:00Z"},
                                 {"keyId": "k1",
                        """
                ).utf8
            )
        )
        try await exit.refreshConfiguration()

        await show("T-1", at: gate)  // malformed
        await show("https://example.org", at: gate)  // unsupported_format
        for changes: [String: JSONValue?] in [
            ["eventId": "EV9"], ["keyId": "k9"], ["keyId": "old"], ["keyId": "stolen"], ["zoneId": "VIP"],
            ["issuedAt": "2026-06-02T00:00:00Z"], ["validFrom": "2026-06-01T18:00:00.001Z"],
            ["validTo": "2026-06-01T18:00:00Z"],
        ] {
            await show(try bench.ticket("T-1", changes), at: gate)
        }
        await show(try bench.ticket("T-1", signedBy: bench.other), at: gate)
        await show(try bench.ticket("T-13"), at: gate)
        let elsewhere: [String: JSONValue?] = ["eventId": "EV2", "keyId": "k2"]
        await show(try bench.ticket("T-1", elsewhere, signedBy: bench.other), at: gate)
        await show(try bench.ticket("T-1"), at: exit)  // not_inside
        for _ in 0..<2 { await show(try bench.ticket("T-1"), at: gate) }  // already_used
        bench.clock.setWall(GateBench.start + .days(31))
        let careful = try await bench.gate { $0.onSuspectClock = .refuse }
        bench.clock.setWall(GateBench.start + .days(40))
        let long = try bench.ticket("T-2", ["validTo": "2027-01-01T00:00:00Z"])
        await show(long, at: careful)  // clock_untrusted
        await show(long, at: gate)  // config_stale
        var expected = Set(DenialCode.allCases)
        XCTAssertEqual(Set(seen), expected.subtracting([.cannotRecord]))

        let recorded = try await bench.records()
        XCTAssertEqual(Set(recorded.flatMap(\.reasons)), Set(seen))
        await bench.journal.fail(with: QueueStoreError(.full))
        await show(long, at: exit)
        expected.subtract(seen)
        XCTAssertEqual(expected, [])
    }

    func testTheNamesNeverChange() {
        XCTAssertEqual(
            DenialCode.allCases.map(\.rawValue),
            [
                "malformed", "unsupported_format", "no_keys", "unknown_event", "unknown_key", "key_not_valid",
                "key_compromised", "bad_signature", "revoked", "wrong_event", "wrong_zone", "issued_in_future",
                "not_yet_valid", "expired", "already_used", "not_inside", "clock_untrusted", "config_stale",
                "cannot_record",
            ]
        )
    }
}
