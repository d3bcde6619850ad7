import HoldfastDomain
import XCTest

/// `ticket sign`, checked against openssl and against the formats' readers.
final class TicketSigningTests: XCTestCase {
    private let claims = """
        {"ticketId":"T-1", "eventId":"EV1","zoneId":"GA","issuedAt":1777000000,"validFrom":1777000000,\
        "validTo":1777086400,"keyId":"k1"}
        """

    private func makeKey(in folder: Folder) throws -> String {
        let outcome = try Holdfast.run(
            "keys",
            "generate",
            "--event",
            "EV1",
            "--key-id",
            "k1",
            "--out",
            folder.path("keys"),
            in: folder
        )
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return folder.path("keys/k1.pem")
    }

    private func sign(_ claims: String, _ arguments: String..., key: String, in folder: Folder) throws -> Outcome {
        let words = ["ticket", "sign", "--key", key] + arguments
        return try Holdfast.run(words, input: Data(claims.utf8), in: folder)
    }

    func testSignsAsOpenSSLDoes() throws {
        let folder = try Folder(for: self)
        let key = try makeKey(in: folder)
        // What two encoders write differently is signed as it was received, to the byte.
        let odd = #","a":1e-5,"b":1.0,"c":"\/ \u00e9 é e\u0301 é","e\u0301":"\u2028","é":-0}"#
        let others = claims.dropLast() + odd
        for (format, claims) in [
            ("holdfast", claims), ("compact", claims), ("jws", claims), ("holdfast", String(others)),
            ("compact", String(others)), ("jws", String(others)),
        ] {
            let ours = try sign(claims + "\n", "--format", format, key: key, in: folder)
            XCTAssertEqual(ours.status, 0, ours.errors)
            let theirs = try Program(
                Holdfast.package.appendingPathComponent("Fixtures/sign-with-openssl"),
                ["--key", key, "--format", format, "--key-id", "k1"],
                input: Data(claims.utf8),
                in: folder
            )
            XCTAssertEqual(theirs.wait(), 0, theirs.errors)
            XCTAssertEqual(ours.output, theirs.output, format)
        }
    }

    func testSignsTheCanonicalForm() throws {
        let folder = try Folder(for: self)
        let outcome = try sign(claims, "--format=canonical", key: try makeKey(in: folder), in: folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        guard case .ticket(let ticket) = TicketReader(.canonical).read(outcome.output) else {
            return XCTFail("not a ticket")
        }
        XCTAssertEqual(ticket.signedBytes, try JSONValue.parse(claims).canonical())
    }

    func testSignsConfigurationsInTheCompactForm() throws {
        let folder = try Folder(for: self)
        let key = try makeKey(in: folder)
        let configuration = try String(contentsOf: folder.url("keys/k1.json"), encoding: .utf8)
        let outcome = try sign(configuration, "--format", "compact", key: key, in: folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let first = try XCTUnwrap(outcome.output.split(separator: ".").first)
        XCTAssertEqual(Base64URL.decode(String(first)), Array(configuration.utf8))
    }

    func testIssuesNothingThatAGateCannotRead() throws {
        let folder = try Folder(for: self)
        let key = try makeKey(in: folder)
        let faults = [
            "": "not strict JSON", "{\"a\":1}": "ticketId is missing or of the wrong kind",
            "[]": "not one strict JSON object",
            "{\"ticketId\":\"a\",\"ticketId\":\"b\"}": "not strict JSON",
            claims.replacingOccurrences(of: "\"zoneId\"", with: "\"zone\""): "zoneId is missing",
            claims.replacingOccurrences(of: "\"validTo\":1777086400", with: "\"validTo\":1"): "the window ends before",
        ]
        for (claims, fault) in faults {
            let outcome = try sign(claims, key: key, in: folder)
            XCTAssertEqual(outcome.status, 1, claims)
            XCTAssertEqual(outcome.output, "")
            XCTAssertTrue(outcome.errors.contains(fault), outcome.errors)
        }
    }

    func testRefusesWhatIsNoSecretKeyWithoutQuotingIt() throws {
        let folder = try Folder(for: self)
        for text in ["", "SECRET-ABC", "-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----\n"] {
            let outcome = try sign(claims, key: try folder.file("key", text), in: folder)
            XCTAssertEqual(outcome.status, 1)
            XCTAssertTrue(outcome.errors.contains("is not an Ed25519 secret key"), outcome.errors)
            XCTAssertFalse(outcome.errors.contains("SECRET"), outcome.errors)
        }
        let missing = try sign(claims, key: folder.path("none"), in: folder)
        XCTAssertTrue(missing.errors.contains("none cannot be read: No such file or directory"), missing.errors)
        XCTAssertEqual(try sign(claims, "--format", "pretix", key: "k", in: folder).status, 2)
    }
}
