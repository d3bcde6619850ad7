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
}
