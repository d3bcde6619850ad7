import HoldfastDomain
import XCTest

final class HoldfastFormatTests: XCTestCase {
    private func read(_ json: String) -> TicketReading {
        HoldfastFormat().read(Array(SampleTickets.text(json).utf8))
    }

    /// The sample ticket with one piece of its claims replaced.
    private func read(replacing old: String, with new: String, line: UInt = #line) -> TicketReading {
        XCTAssertTrue(SampleTickets.claims.contains(old), old, line: line)
        return read(SampleTickets.signed(SampleTickets.claims.replacing(old, with: new)))
    }

    func testEveryMemberIsRead() throws {
        let json = SampleTickets.signed(
            SampleTickets.claims.replacing(
                "{",
                with: #"{"keyId":"k1","entries":3,"name":"Zoë","seat":{"row":[1,2.5,null]},"note":"\ud83d\ude00","#
            )
        )
        let ticket = try XCTUnwrap(read(json).ticket)
        XCTAssertEqual(ticket.id, "T-1")
        XCTAssertEqual(ticket.event, "EV1")
        XCTAssertEqual(ticket.zone, "GA")
        XCTAssertNil(ticket.product)
        XCTAssertEqual(ticket.keyID, "k1")
        XCTAssertEqual(ticket.entries, 3)
        XCTAssertEqual(ticket.issuedAt?.rfc3339, "2026-05-01T00:00:00.000Z")
        XCTAssertEqual(ticket.validFrom?.rfc3339, "2026-06-01T07:00:00.000Z")
        XCTAssertEqual(ticket.validTo?.rfc3339, "2026-06-02T00:00:00.000Z")
        XCTAssertEqual(ticket.signature, SampleTickets.signature)
        XCTAssertEqual(ticket.signedBytes.count, json.utf8.count - 101)
        let plain = try XCTUnwrap(HoldfastFormat().read(Array(SampleTickets.holdfast.utf8)).ticket)
        XCTAssertNil(plain.keyID)
        XCTAssertNil(plain.entries)
        XCTAssertEqual(plain.signedBytes, Array(SampleTickets.claims.utf8))
    }

    func testTheSignedBytesAreTheJSONWithoutTheMemberAndOneComma() {
        let member = "\"signature\":\"\(SampleTickets.signatureText)\""
        let spaced = "\"signature\" :\n\"\(SampleTickets.signatureText)\""
        let rest = String(SampleTickets.claims.dropFirst())
        let cases = [
            ("{\(member),\(rest)", "{\(rest)"),
            ("{ \(member) , \(rest)", "{  \(rest)"),
            ("{\n  \(spaced)\t,\n  \(rest)", "{\n  \n  \(rest)"),
            ("{\(rest.dropLast()),\(member)}", "{\(rest)"),
            ("{\(rest.dropLast()) , \(member) }", "{\(rest.dropLast())  }"),
            ("{\(rest.dropLast()),\(spaced)\n}\n", "{\(rest.dropLast())\n}\n"),
            ("{\"a\":0,\(member),\(rest)", "{\"a\":0,\(rest)"),
            ("{\"a\":{\(member)},\(rest.dropLast()),\(member)}", "{\"a\":{\(member)},\(rest)"),
            ("{\"sign\\u0061ture\":\"\(SampleTickets.signatureText)\",\(rest)", "{\(rest)"),
        ]
        for (json, signed) in cases {
            XCTAssertEqual(read(json).ticket?.signedBytes, Array(signed.utf8), json)
        }
    }

    func testOnlyOneSpellingOf64BytesIsASignature() {
        let good = "\"\(SampleTickets.signatureText)\""
        let zeros = "\"" + String(repeating: "A", count: 86) + "\""
        func read(signature: String) -> TicketReading {
            self.read(SampleTickets.signed(SampleTickets.claims).replacing(good, with: signature))
        }
        XCTAssertNotNil(read(signature: good).ticket)
        XCTAssertEqual(read(signature: zeros).ticket?.signature, [UInt8](repeating: 0, count: 64))
        for signature in [
            #""""#, "null", "7", "[]", "{}", "true", "[\(good)]",
            "\"\(Base64URL.encode([UInt8](repeating: 7, count: 63)))\"",
            "\"\(Base64URL.encode([UInt8](repeating: 7, count: 65)))\"",
            "\"\(SampleTickets.signatureText)=\"", "\"\(SampleTickets.signatureText)==\"",
            "\"\(SampleTickets.signatureText) \"",
            "\"\\u0041\(SampleTickets.signatureText.dropFirst())\"", "\"\(SampleTickets.signatureText.dropLast())\"",
            "\"\(SampleTickets.signatureText.dropLast())B\"", "\"\(SampleTickets.signatureText.dropLast(2))+/\"",
            "\"é\(SampleTickets.signatureText.dropLast(2))\"",
        ] {
            XCTAssertNil(read(signature: signature).ticket, signature)
            if (try? JSONValue.parse(signature)) != nil {
                XCTAssertEqual(read(signature: signature), .malformed(.signature), signature)
            }
        }
        XCTAssertEqual(self.read(SampleTickets.claims), .malformed(.signature))
    }

    func testARequiredMemberThatIsMissingOrOfTheWrongKindIsTold() {
        for name in ["ticketId", "eventId"] {
            XCTAssertEqual(read(replacing: "\"\(name)\"", with: "\"x\(name)\""), .malformed(.member), name)
        }
        for name in ["zoneId", "issuedAt", "validFrom", "validTo"] {
            let reading = read(replacing: "\"\(name)\"", with: "\"x\(name)\"")
            guard case .incomplete(let ticket) = reading else { return XCTFail("\(name): \(reading)") }
            XCTAssertEqual(ticket.id, "T-1")
            XCTAssertEqual(ticket.signature, SampleTickets.signature)
        }
        for (old, new) in [
            (#""T-1""#, "1"), (#""T-1""#, "null"), (#""T-1""#, #"["T-1"]"#), (#""T-1""#, #""""#),
            (#""T-1""#, #""T\u0000""#),
            (#""EV1""#, "true"), (#""EV1""#, #""""#), (#""GA""#, "{}"), (#""GA""#, "1.0"),
            ("1780358400", "1780358400.5"),
            ("1780358400", "1.78e9"), ("1780358400", "null"), ("1780358400", "false"),
            ("1780358400", "18446744073709551615"),
        ] {
            XCTAssertEqual(read(replacing: old, with: new), .malformed(.member), new)
        }
        XCTAssertEqual(read(replacing: #""GA""#, with: #""""#).ticket?.zone, "")
        for optional in [
            #""keyId":1"#, #""keyId":null"#, #""keyId":"""#, #""entries":0"#, #""entries":-1"#, #""entries":"2""#,
            #""entries":1.0"#, #""entries":null"#, #""entries":9223372036854775808"#,
        ] {
            XCTAssertEqual(read(replacing: "{", with: "{\(optional),"), .malformed(.member), optional)
        }
    }

    func testAFaultNamesTheMemberButNotItsValue() {
        func name(_ reading: TicketReading) -> String? {
            switch reading {
            case .malformed(let reason): return reason.memberName
            case .incomplete(let ticket): return ticket.missingMember
            case .ticket, .foreign: return nil
            }
        }
        for member in ["ticketId", "eventId", "zoneId", "issuedAt", "validFrom", "validTo"] {
            XCTAssertEqual(name(read(replacing: "\"\(member)\"", with: "\"x\(member)\"")), member)
        }
        XCTAssertEqual(name(read(replacing: #""T-1""#, with: "1")), "ticketId")
        XCTAssertEqual(name(read(replacing: #""GA""#, with: "{}")), "zoneId")
        XCTAssertEqual(name(read(replacing: "1780358400", with: #""tomorrow""#)), "validTo")
        XCTAssertEqual(name(read(replacing: "1780358400", with: "0")), "validTo")
        XCTAssertEqual(
            name(read(replacing: "{", with: #"{"entr\u0069es":0,"keyId":1,"#)),
            "entries",
            "the first of them"
        )
        XCTAssertNil(name(read("[]")))
    }

    func testTimesMustBeTimesAndTheWindowMustHaveALength() {
        for time in [
            #""2026-06-02""#, #""tomorrow""#, #""""#, #""2026-06-31T00:00:00Z""#, "1780358400000", "-99999999999",
            "9223372036854775807", "-9223372036854775808", #""1780358400""#,
        ] {
            XCTAssertEqual(read(replacing: "1780358400", with: time), .malformed(.time), time)
        }
        XCTAssertNotNil(read(replacing: "1780358400", with: #""2026-06-02T00:00:00\u005a""#).ticket)
        XCTAssertNotNil(read(replacing: "1780358400", with: "253402300799").ticket)
        for end in [#""2026-06-01T07:00:00Z""#, #""2026-06-01T06:59:59.999Z""#, "0", "-1"] {
            XCTAssertEqual(read(replacing: "1780358400", with: end), .malformed(.time), end)
        }
        XCTAssertNotNil(read(replacing: "1780358400", with: #""2026-06-01T07:00:00.001Z""#).ticket)
    }

    func testAMemberTwiceIsRefusedWhereverAndHoweverItIsWritten() {
        for extra in [
            #""zoneId":"VIP""#, #""zone\u0049d":"VIP""#, #""\u007aoneId":"VIP""#,
            "\"signature\":\"\(SampleTickets.signatureText)\"",
            #""signature":"""#, #""x":1,"x":1"#, #""x":{"y":1,"\u0079":2}"#,
        ] {
            XCTAssertEqual(read(replacing: "{", with: "{\(extra),"), .malformed(.json), extra)
            XCTAssertEqual(read(replacing: "}", with: ",\(extra)}"), .malformed(.json), extra)
        }
    }

    func testOnlyOneStrictObjectIsATicket() {
        let good = SampleTickets.signed(SampleTickets.claims)
        XCTAssertNotNil(read(good).ticket)
        XCTAssertNotNil(read(" \n\(good)\t").ticket)
        for json in [
            "", "null", "[]", "[\(good)]", "{}x", "\(good)x", "\(good)\0", "\u{feff}\(good)", "\(good)\(good)",
            "{\"a\":1,}",
            String(good.dropLast()), good.replacing(",", with: ",,"), good.replacing("GA", with: "G\u{1}A"),
            good.replacing("GA", with: "\\ud800"), good.replacing("\"GA\"", with: "'GA'"),
            good.replacing("GA", with: "\\x"),
        ] {
            XCTAssertEqual(read(json), .malformed(.json), json)
        }
        XCTAssertEqual(read("{}"), .malformed(.member))
        let nested = String(repeating: "[", count: 7) + String(repeating: "]", count: 7)
        XCTAssertNotNil(read(replacing: "{", with: "{\"x\":\(nested),").ticket)
        XCTAssertEqual(read(replacing: "{", with: "{\"x\":[\(nested)],"), .malformed(.json))
    }
}
