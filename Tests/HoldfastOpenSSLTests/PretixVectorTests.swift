import Foundation
import HoldfastDomain
import HoldfastOpenSSL
import XCTest

/// Secrets that pretix signed, from the text on the ticket to the verdict.
final class PretixVectorTests: XCTestCase {
    func testFiveAreGenuineAndOneIsForged() throws {
        struct Secret: Decodable { let qr: String }
        struct Event: Decodable {
            let keys: [String: [String]]
            enum CodingKeys: String, CodingKey { case keys = "valid_keys" }
        }
        // An event's keys are base 64 of PEM; the event of a ticket is the one whose key verifies it.
        var keys: [PublicKey] = []
        for name in ["libpretixsync_event1.json", "libpretixsync_event2.json"] {
            let event = try Vectors.decode(Event.self, "pretix", name)
            for text in event.keys["pretix_sig1"] ?? [] {
                let pem = String(decoding: try XCTUnwrap(Data(base64Encoded: text)), as: UTF8.self)
                keys.append(try PublicKey(pem: pem))
            }
        }
        XCTAssertFalse(keys.isEmpty)
        let verifier = try OpenSSLVerifier()
        let secrets = try Vectors.decode([Secret].self, "pretix", "signed_secrets.json")
        XCTAssertEqual(secrets.count, 6)
        for secret in secrets {
            guard case .ticket(let ticket) = TicketReader(.pretix).read(secret.qr) else {
                XCTFail("a secret could not be read")
                continue
            }
            let isGenuine = try keys.contains {
                try verifier.isValid(ticket.signature, over: ticket.signedBytes, by: $0)
            }
            XCTAssertEqual(isGenuine, !secret.qr.hasPrefix("EFAKE"))
        }
    }

    /// The length of the payload has two bytes: where the first of them is not zero, both count.
    func testPayloadsOf256BytesAndMoreVerifyAndNoneThatIsCut() throws {
        let signer = try OpenSSLSigner(seed: Array(0..<32))
        let verifier = try OpenSSLVerifier()
        for length in [200, 255, 256, 257, 511, 512, 1000, 2900] {
            // A seed, an item, and a field that nobody here knows, for the length.
            var payload: [UInt8] = [0x0a, 6] + Array("seed-1".utf8) + [0x10, 42, 0x7a]
            let filler = length - payload.count - 2
            payload += [UInt8(filler & 0x7f) | 0x80, UInt8(filler >> 7)] + [UInt8](repeating: 0x61, count: filler)
            XCTAssertEqual(payload.count, length)
            let signature = try signer.sign(payload)
            let envelope = [1, UInt8(length >> 8), UInt8(length & 255), 0, 64] + payload + signature
            let text = Array(String(Base64.encode(envelope).reversed()).utf8)
            guard case .ticket(let ticket) = TicketReader(.pretix).read(text) else {
                XCTFail("\(length) bytes cannot be read")
                continue
            }
            XCTAssertEqual(ticket.id, "seed-1")
            XCTAssertEqual(ticket.signedBytes, payload)
            XCTAssertTrue(try verifier.isValid(ticket.signature, over: ticket.signedBytes, by: signer.publicKey))
            for cut in 0..<text.count {
                for part in [text.prefix(cut), text.suffix(cut)] {
                    guard case .ticket(let other) = TicketReader(.pretix).read(Array(part)) else { continue }
                    XCTFail("\(length) bytes cut to \(cut) characters read as a ticket of \(other.signedBytes.count)")
                }
            }
        }
    }
}
