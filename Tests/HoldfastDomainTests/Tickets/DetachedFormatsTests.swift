import HoldfastDomain
import XCTest

final class DetachedFormatsTests: XCTestCase {
    private func compact(_ text: String) -> TicketReading { CompactFormat().read(Array(text.utf8)) }
    private func jws(_ text: String) -> TicketReading { JWSFormat().read(Array(text.utf8)) }

    func testCompactIsSignedOverItsDecodedJSON() throws {
        let ticket = try XCTUnwrap(compact(SampleTickets.compact).ticket)
        XCTAssertEqual(ticket.id, "T-1")
        XCTAssertEqual(ticket.signature, SampleTickets.signature)
        XCTAssertEqual(ticket.signedBytes, Array(SampleTickets.claims.utf8))
        let spaced = SampleTickets.claims.replacing(",", with: " ,\n")
        let text = SampleTickets.text(spaced) + "." + SampleTickets.signatureText
        XCTAssertEqual(compact(text).ticket?.signedBytes, Array(spaced.utf8))
    }

    func testCompactSaysWhatIsWrong() {
        let json = SampleTickets.text(SampleTickets.claims)
        let cases: [(String, TicketReading)] = [
            (json, .foreign), ("\(json).\(json).\(json)", .foreign), ("https://a.b", .foreign), ("eyJ.é", .foreign),
            (".", .malformed(.json)), ("\(json).", .malformed(.signature)),
            (".\(SampleTickets.signatureText)", .malformed(.json)),
            ("\(json)=.\(SampleTickets.signatureText)", .malformed(.encoding)),
            ("\(json).\(SampleTickets.signatureText)==", .malformed(.encoding)),
            ("\(json).\(Base64URL.encode([UInt8](repeating: 1, count: 63)))", .malformed(.signature)),
            ("\(json).\(Base64URL.encode([UInt8](repeating: 1, count: 65)))", .malformed(.signature)),
            ("\(SampleTickets.text("{}")).\(SampleTickets.signatureText)", .malformed(.member)),
        ]
        for (text, reading) in cases { XCTAssertEqual(compact(text), reading, text) }
    }

    func testJWSIsSignedOverItsTextAndNamesTheKey() throws {
        let ticket = try XCTUnwrap(jws(SampleTickets.jws).ticket)
        XCTAssertEqual(ticket.id, "T-1")
        XCTAssertEqual(ticket.keyID, "k1")
        XCTAssertEqual(ticket.signature, SampleTickets.signature)
        XCTAssertEqual(ticket.signedBytes, Array(SampleTickets.jws.utf8.dropLast(87)))
        XCTAssertNil(jws(SampleTickets.jws(header: #"{"alg":"EdDSA"}"#)).ticket?.keyID)
        let named = SampleTickets.claims.replacing("{", with: #"{"keyId":"k1","#)
        XCTAssertEqual(
            jws(SampleTickets.jws(header: #"{"typ":"JWT","alg":"EdDSA"}"#, claims: named)).ticket?.keyID,
            "k1"
        )
        XCTAssertNotNil(jws(SampleTickets.jws(header: #"{"alg":"EdDSA","kid":"k1"}"#, claims: named)).ticket)
        let contradicted = jws(SampleTickets.jws(header: #"{"alg":"EdDSA","kid":"k2"}"#, claims: named))
        XCTAssertEqual(contradicted, .malformed(.header))
    }

    func testJWSRefusesEveryOtherHeader() {
        for header in [
            #"{"alg":"none"}"#, #"{"alg":"HS256"}"#, #"{"alg":"RS256"}"#, #"{"alg":"ES256K"}"#, #"{"alg":"eddsa"}"#,
            "{}",
            #"{"alg":null}"#, #"{"alg":["EdDSA"]}"#, #"{"alg":"EdDSA","crit":["exp"]}"#, #"{"alg":"EdDSA","crit":[]}"#,
            #"{"alg":"EdDSA","b64":false,"crit":["b64"]}"#, #"{"alg":"EdDSA","b64":true}"#, #"{"alg":"EdDSA","kid":1}"#,
            #"{"alg":"EdDSA","kid":""}"#, #"{"alg":"EdDSA","kid":null}"#, "[]", "7",
        ] {
            XCTAssertEqual(jws(SampleTickets.jws(header: header)), .malformed(.header), header)
        }
        for header in [
            "", "x", #"{"alg":"none","alg":"EdDSA"}"#, #"{"alg":"EdDSA","\u0061lg":"none"}"#, #"{"alg":"EdDSA"}}"#,
        ] {
            XCTAssertEqual(jws(SampleTickets.jws(header: header)), .malformed(.json), header)
        }
        XCTAssertEqual(jws(SampleTickets.jws(header: #"{"alg":"none"}"#, signature: "")), .malformed(.header))
        XCTAssertEqual(jws(SampleTickets.jws(header: #"{"alg":"EdDSA"}"#, signature: "")), .malformed(.signature))
        XCTAssertEqual(jws(SampleTickets.jws + "="), .malformed(.encoding))
        XCTAssertEqual(jws(SampleTickets.jws + ".x"), .foreign)
        XCTAssertEqual(jws("www.example.com"), .malformed(.encoding))
        XCTAssertEqual(jws("https://www.example.com"), .foreign)
    }

    func testTheExampleOfRFC8037IsAJWSButNoTicket() {
        // RFC 8037, appendix A.4: its payload is a sentence.
        let text =
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6"
            + "dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        XCTAssertEqual(jws(text), .malformed(.json))
    }

    func testCanonicalIsSignedOverItsCanonicalForm() throws {
        let json = SampleTickets.signed(
            SampleTickets.claims.replacing("{", with: #"{"x" : [1.0, 1e-5, "\u00e9\/"], "nested":{"signature":1},"#)
        )
        let ticket = try XCTUnwrap(CanonicalFormat().read(Array(SampleTickets.text(json).utf8)).ticket)
        XCTAssertEqual(ticket.signature, SampleTickets.signature)
        XCTAssertEqual(
            String(decoding: ticket.signedBytes, as: UTF8.self),
            #"{"eventId":"EV1","issuedAt":"2026-05-01T00:00:00Z","nested":{"signature":1},"ticketId":"T-1","#
                + #""validFrom":"2026-06-01T10:00:00+03:00","validTo":1780358400,"x":[1,0.00001,"é/"],"zoneId":"GA"}"#
        )
        let unsayable = json.replacing("1e-5", with: "9007199254740993")
        XCTAssertEqual(CanonicalFormat().read(Array(SampleTickets.text(unsayable).utf8)), .malformed(.json))
        XCTAssertEqual(CanonicalFormat().read(Array(SampleTickets.compact.utf8)), .foreign)
    }
}
