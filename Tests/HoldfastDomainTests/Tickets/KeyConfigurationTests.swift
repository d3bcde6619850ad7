import HoldfastDomain
import HoldfastInMemory
import XCTest

final class KeyConfigurationTests: XCTestCase {
    private let signer = ToySigner(seed: 1)
    private let calendar = FixedCalendar(["UTC": .zero, "Europe/Kyiv": .hours(3)])

    private func read(_ json: String, signedBy key: PublicKey? = nil) throws -> KeyConfiguration {
        try KeyConfiguration.read(Array(json.utf8), signedBy: key, verifier: ToyVerifier(), calendar: calendar)
    }

    private func assertRefused(
        _ json: String,
        _ code: ConfigurationError.Code,
        at path: String = "",
        line: UInt = #line
    ) {
        XCTAssertThrowsError(try read(json), line: line) {
            XCTAssertEqual($0 as? ConfigurationError, ConfigurationError(code, at: path), line: line)
        }
    }

    private var key: String { Base64URL.encode(signer.publicKey.bytes) }

    /// A configuration of one event with these members instead of the usual ones, and further ones of the whole.
    private func document(event: String? = nil, key members: String = "", extra: String = "") -> String {
        let usual = #""eventId": "EV1", "keys": [{"keyId": "k1", "publicKey": "\#(key)"\#(members)}]"#
        return #"{"version": 7\#(extra), "events": [{\#(event ?? usual)}]}"#
    }

    func testTheWholeDocument() throws {
        let configuration = try read(
            #"""
            {"version": 7, "issuedAt": "2026-05-01T00:00:00Z",
             "events": [{"eventId": "EV1", "timeZone": "Europe/Kyiv", "format": "canonical",
               "keys": [{"keyId": "k1", "publicKey": "\#(key)", "notBefore": "2026-01-01T00:00:00+02:00",
                         "notAfter": 1782864000, "status": "retired"}],
               "zones": {"VIP": ["GA", "VIP"]},
               "admission": {"entries": 3, "reentry": true, "perDay": true},
               "products": {"42": "GA"},
               "revoked": ["T-13"]}],
             "tolerance": {"before": 60, "after": 30}}
            """#
        )
        XCTAssertEqual(configuration.version, 7)
        XCTAssertEqual(configuration.issuedAt, Timestamp(rfc3339: "2026-05-01T00:00:00Z"))
        XCTAssertEqual(configuration.toleranceBefore, .seconds(60))
        XCTAssertEqual(configuration.toleranceAfter, .seconds(30))
        let event = try XCTUnwrap(configuration.event("EV1"))
        XCTAssertEqual(event.timeZone, "Europe/Kyiv")
        XCTAssertEqual(event.format, .canonical)
        XCTAssertEqual(event.admission.entries, 3)
        XCTAssertTrue(event.admission.allowsReentry && event.admission.isPerDay)
        XCTAssertTrue(event.zone("VIP", opens: "GA") && event.zone("VIP", opens: "VIP"))
        XCTAssertFalse(event.zone("GA", opens: "VIP"))
        XCTAssertEqual(event.zone(ofProduct: "42"), "GA")
        XCTAssertTrue(event.isRevoked("T-13"))
        XCTAssertFalse(event.isRevoked("T-1"))
        let issuerKey = try XCTUnwrap(event.key("k1"))
        XCTAssertEqual(issuerKey.status, .retired)
        XCTAssertEqual(issuerKey.notBefore, Timestamp(rfc3339: "2025-12-31T22:00:00Z"))
        XCTAssertEqual(issuerKey.notAfter, Timestamp(rfc3339: "2026-07-01T00:00:00Z"))
    }

    func testWhatIsLeftOutHasADefault() throws {
        let event = try XCTUnwrap(try read(document()).event("EV1"))
        XCTAssertEqual(event.timeZone, "UTC")
        XCTAssertEqual(event.format, .holdfast)
        XCTAssertEqual(event.admission, TicketEvent.Admission())
        XCTAssertEqual(event.keys.first?.status, .active)
        let nulls = document(
            key: #", "notBefore": null, "status": null"#,
            extra: #", "tolerance": null, "issuedAt": null"#
        )
        XCTAssertNoThrow(try read(nulls))
        XCTAssertNoThrow(try read(document(extra: #", "color": {"deep": [1, 2]}"#)), "an issuer may say more")
    }

    func testWhatIsNoConfiguration() {
        for text in [
            "", " \n", "null", "[]", "{", "{}}", "eyJ", "a.b", "a.b.c", "{\"version\":7,\"version\":8}", "\u{feff}{}",
        ] {
            assertRefused(text, .malformed)
        }
        assertRefused("{}", .missingMember, at: "version")
        for version in ["0", "-1", "1.5", "\"7\"", "9223372036854775808", "true"] {
            assertRefused(#"{"version": \#(version), "events": []}"#, .invalidVersion, at: "version")
        }
    }

    func testEmptyOnes() {
        for json in [#"{"version": 7}"#, #"{"version": 7, "events": []}"#, #"{"version": 7, "events": null}"#] {
            assertRefused(json, .empty, at: "events")
        }
        assertRefused(document(event: #""eventId": "EV1""#), .empty, at: "events[0].keys")
        assertRefused(document(event: #""eventId": "EV1", "keys": []"#), .empty, at: "events[0].keys")
    }

    func testNestingIsLimited() {
        func nested(_ depth: Int) -> String {
            document(extra: #", "x": "# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        XCTAssertNoThrow(try read(nested(15)))
        assertRefused(nested(16), .malformed)
    }

    func testMembersOfTheWrongKind() {
        assertRefused(#"{"version": 7, "events": {}}"#, .invalidMember, at: "events")
        assertRefused(#"{"version": 7, "events": [1]}"#, .invalidMember, at: "events[0]")
        assertRefused(document(event: #""keys": []"#), .missingMember, at: "events[0].eventId")
        for id in ["\"\"", "7", "{}"] {
            assertRefused(document(event: #""eventId": \#(id), "keys": []"#), .invalidMember, at: "events[0].eventId")
        }
        let head = #""eventId": "EV1", "keys": [{"publicKey": "\#(key)"}]"#
        assertRefused(document(event: head + #", "revoked": ["a", 1]"#), .invalidMember, at: "events[0].revoked[1]")
        assertRefused(document(event: head + #", "zones": {"VIP": "GA"}"#), .invalidMember, at: "events[0].zones.VIP")
        assertRefused(document(event: head + #", "products": {"1": 2}"#), .invalidMember, at: "events[0].products.1")
        let reentry = head + #", "admission": {"reentry": 1}"#
        assertRefused(document(event: reentry), .invalidMember, at: "events[0].admission.reentry")
    }

    func testKeys() {
        let path = "events[0].keys[0].publicKey"
        func keyed(_ text: String) -> String {
            document(event: #""eventId": "EV1", "keys": [{"publicKey": \#(text)}]"#)
        }
        assertRefused(document(event: #""eventId": "EV1", "keys": [{}]"#), .missingMember, at: path)
        for text in ["7", "\"\"", "\"\(key)=\"", "\"\(key.dropLast())\"", "\"\(key)AA\""] {
            assertRefused(keyed(text), .invalidKey, at: path)
        }
        for byte: UInt8 in [0, 1] {
            let weak = Base64URL.encode([byte] + [UInt8](repeating: 0, count: 31))
            assertRefused(keyed("\"\(weak)\""), .weakKey, at: path)
        }
        assertRefused(document(key: #", "status": "lost""#), .unknownStatus, at: "events[0].keys[0].status")
        let notAfter = "events[0].keys[0].notAfter"
        assertRefused(document(key: #", "notAfter": "soon""#), .invalidTime, at: notAfter)
        assertRefused(document(key: #", "notAfter": "2026-02-30T00:00:00Z""#), .invalidTime, at: notAfter)
        let inverted = document(key: #", "notBefore": 2000, "notAfter": 1999"#)
        assertRefused(inverted, .invalidTime, at: notAfter)
        XCTAssertNoThrow(try read(document(key: #", "notBefore": 2000, "notAfter": 2000"#)))
    }

    func testRepeatedIds() {
        let event = #"{"eventId": "EV1", "keys": [{"publicKey": "\#(key)"}]}"#
        assertRefused(#"{"version": 7, "events": [\#(event), \#(event)]}"#, .duplicateEvent, at: "events[1]")
        let entry = #"{"keyId": "k1", "publicKey": "\#(key)"}"#
        let twice = document(event: #""eventId": "EV1", "keys": [\#(entry), \#(entry)]"#)
        assertRefused(twice, .duplicateKey, at: "events[0].keys[1]")
        let nameless = #"{"publicKey": "\#(key)"}"#
        let behind = document(event: #""eventId": "EV1", "keys": [\#(nameless), \#(nameless), \#(entry), \#(entry)]"#)
        assertRefused(behind, .duplicateKey, at: "events[0].keys[3]")
        let spelling = #"{"eventId": "\#("e\u{301}")", "keys": [{"publicKey": "\#(key)"}]}"#
        let other = spelling.replacingOccurrences(of: "e\u{301}", with: "\u{e9}")
        XCTAssertNoThrow(try read(#"{"version": 7, "events": [\#(spelling), \#(other)]}"#), "two ids to their issuer")
    }

    func testRules() {
        let head = #""eventId": "EV1", "keys": [{"publicKey": "\#(key)"}], "#
        assertRefused(document(event: head + #""format": "qr""#), .unknownFormat, at: "events[0].format")
        assertRefused(document(event: head + #""timeZone": "Mars""#), .unknownTimeZone, at: "events[0].timeZone")
        for entries in ["0", "-3", "1.5", "\"2\""] {
            let event = head + #""admission": {"entries": \#(entries)}"#
            assertRefused(document(event: event), .invalidEntries, at: "events[0].admission.entries")
        }
        for amount in ["-1", "0.5", "\"1\""] {
            for end in ["before", "after"] {
                let tolerance = #", "tolerance": {"\#(end)": \#(amount)}"#
                assertRefused(document(extra: tolerance), .invalidTolerance, at: "tolerance.\(end)")
            }
        }
        assertRefused(document(extra: #", "issuedAt": "yesterday""#), .invalidTime, at: "issuedAt")
    }

    func testSigned() throws {
        let json = Array(document().utf8)
        let signed = Base64URL.encode(json) + "." + Base64URL.encode(signer.sign(json))
        XCTAssertEqual(try read(signed, signedBy: signer.publicKey).version, 7)
        XCTAssertEqual(try read(signed + "\r\n", signedBy: signer.publicKey).version, 7)
        XCTAssertEqual(try read(signed).version, 7, "without a pinned key a signature is not asked for")
        func refusal(_ text: String, _ key: PublicKey) -> ConfigurationError.Code? {
            do { _ = try read(text, signedBy: key) } catch { return (error as? ConfigurationError)?.code }
            return nil
        }
        XCTAssertEqual(refusal(document(), signer.publicKey), .unsigned)
        XCTAssertEqual(refusal(signed, ToySigner(seed: 2).publicKey), .badSignature)
        let other = Array(document(extra: #", "x": 1"#).utf8)
        let moved = Base64URL.encode(other) + "." + Base64URL.encode(signer.sign(json))
        XCTAssertEqual(refusal(moved, signer.publicKey), .badSignature)
        XCTAssertEqual(refusal(Base64URL.encode(json) + ".", signer.publicKey), .badSignature)
    }

    func testRefusalsSayWhereAndNeverWhat() {
        let secret = "SECRET-TICKET-ID"
        XCTAssertThrowsError(try read(document(event: #""eventId": "EV1", "keys": ["\#(secret)"]"#))) {
            XCTAssertFalse("\($0)".contains(secret))
            XCTAssertEqual("\($0)", "key configuration: invalid_member at events[0].keys[0]")
        }
    }
}
