import HoldfastDomain
import XCTest

final class TicketIssuerTests: XCTestCase {
    private struct Refusal: Error {}

    /// The text and what was signed for it.
    private func issue(_ claims: String, as format: TicketIssuer.Format, keyID: String? = nil) throws -> (
        String, [UInt8]
    ) {
        var signed: [UInt8] = []
        let text = try TicketIssuer.text(claims: Array(claims.utf8), as: format, keyID: keyID) { bytes in
            signed = bytes
            return SampleTickets.signature
        }
        return (text, signed)
    }

    func testWhatIsIssuedIsReadBackWithWhatWasSigned() throws {
        let spaced = SampleTickets.claims.replacing(",", with: ",\n  ").replacing("}", with: "\n}")
        for claims in [SampleTickets.claims, spaced, "\n \(spaced) \n"] {
            for format in TicketIssuer.Format.allCases {
                let (text, signed) = try issue(claims, as: format, keyID: "k1")
                let reader = TicketReader(format == .canonical ? .canonical : .holdfast)
                let ticket = try XCTUnwrap(reader.read(text).ticket, format.rawValue)
                XCTAssertEqual(ticket.signedBytes, signed, format.rawValue)
                XCTAssertEqual(ticket.signature, SampleTickets.signature)
                XCTAssertEqual(ticket.keyID, format == .jws ? "k1" : nil)
            }
        }
        XCTAssertEqual(try issue(SampleTickets.claims + "\n", as: .holdfast).0, SampleTickets.holdfast)
        XCTAssertEqual(try issue(SampleTickets.claims, as: .holdfast).1, Array(SampleTickets.claims.utf8))
        XCTAssertEqual(try issue(SampleTickets.claims, as: .compact).0, SampleTickets.compact)
        XCTAssertEqual(try issue(SampleTickets.claims, as: .jws, keyID: "k1").0, SampleTickets.jws)
    }

    func testClaimsThatMakeNoTicketAreRefused() {
        let cases: [(String, MalformedReason)] = [
            ("", .json), ("[]", .json), ("{", .json), (SampleTickets.claims + "x", .json), ("{}", .member),
            (SampleTickets.claims.replacing("{", with: #"{"zoneId":"VIP","#), .json),
            (SampleTickets.claims.replacing("zoneId", with: "zone"), .member),
            (SampleTickets.claims.replacing("validTo", with: "until"), .member),
            (SampleTickets.claims.replacing("1780358400", with: "0"), .time),
            (SampleTickets.signed(SampleTickets.claims), .signature),
            (SampleTickets.claims.replacing("GA", with: String(repeating: "x", count: 4000)), .tooLong),
        ]
        for (claims, reason) in cases {
            for format in TicketIssuer.Format.allCases {
                XCTAssertThrowsError(try issue(claims, as: format), claims) {
                    XCTAssertEqual($0 as? MalformedReason, reason, "\(format) \(claims)")
                }
            }
        }
        XCTAssertThrowsError(try issue(SampleTickets.claims.replacing("zoneId", with: "zone"), as: .jws)) {
            XCTAssertEqual(($0 as? MalformedReason)?.memberName, "zoneId")
        }
        let unsayable = SampleTickets.claims.replacing("{", with: #"{"x":9007199254740993,"#)
        XCTAssertThrowsError(try issue(unsayable, as: .canonical)) { XCTAssertEqual($0 as? MalformedReason, .json) }
        XCTAssertNoThrow(try issue(unsayable, as: .holdfast))
    }

    func testASignerThatFailsIsHeard() {
        for format in TicketIssuer.Format.allCases {
            XCTAssertThrowsError(
                try TicketIssuer.text(claims: Array(SampleTickets.claims.utf8), as: format) { _ in throw Refusal() }
            ) { XCTAssertTrue($0 is Refusal) }
            XCTAssertThrowsError(
                try TicketIssuer.text(claims: Array(SampleTickets.claims.utf8), as: format) { _ in [1, 2, 3] }
            ) { XCTAssertEqual($0 as? MalformedReason, .signature) }
        }
    }
}
