import HoldfastDomain
import XCTest

final class TicketReaderTests: XCTestCase {
    private let reader = TicketReader(.holdfast)

    func testTheFormatsOfAConfigurationAreToldApartByShape() {
        for text in [SampleTickets.holdfast, SampleTickets.compact, SampleTickets.jws] {
            XCTAssertEqual(reader.read(text).ticket?.id, "T-1", text)
        }
        XCTAssertEqual(TicketReader(.canonical).read(SampleTickets.holdfast).ticket?.id, "T-1")
        XCTAssertEqual(TicketReader(.canonical).read(SampleTickets.compact), .foreign)
        XCTAssertEqual(TicketReader(.pretix).read(SampleTickets.pretix).ticket?.id, "seed-0001")
        XCTAssertEqual(TicketReader(.pretix).read(SampleTickets.holdfast), .malformed(.encoding))
        XCTAssertEqual(
            TicketReader(formats: [PretixFormat(), HoldfastFormat()]).read(SampleTickets.holdfast).ticket?.id,
            "T-1"
        )
        XCTAssertEqual(
            TicketReader(formats: [HoldfastFormat(), PretixFormat()]).read(SampleTickets.pretix).ticket?.product,
            "42"
        )
        XCTAssertEqual(TicketReader(formats: []).read(SampleTickets.holdfast), .foreign)
    }

    func testWhatScannersAddIsStrippedAndNothingElse() {
        let text = SampleTickets.holdfast
        for around in [
            "\(text)\r\n", "\(text)\n", "\(text)\r", "  \(text) ", "\r\n \(text)", "\\000026\(text)",
            " \\000003\(text)\r\n",
            "\\000000\(text)",
        ] {
            XCTAssertEqual(reader.read(around), reader.read(text), around)
        }
        for around in [
            "\(text)\0", "\0\(text)", "\u{feff}\(text)", "\(text)\t", "\(text)!", "\(text) \(text)", "\(text)=",
            "\(text)\u{a0}",
            "\\00026\(text)", "\\000026\\000026\(text)", "\\26\(text)", "]Q1\(text)", "\"\(text)\"", "\\0000a6\(text)",
        ] {
            XCTAssertNil(reader.read(around).ticket, around)
        }
        XCTAssertEqual(reader.read("\(text)\0"), .malformed(.encoding))
        XCTAssertEqual(reader.read("\u{feff}\(text)"), .malformed(.encoding))
    }

    func testEmptyAndEndlessTextsAreRefused() {
        for text in ["", " ", "\r\n", "\\000026", " \\000026"] {
            XCTAssertEqual(reader.read(text), .malformed(.empty), text)
        }
        let long = SampleTickets.claims.replacing("{", with: "{\"x\":\"\(String(repeating: "x", count: 2820))\",")
        let fits = SampleTickets.text(SampleTickets.signed(long))
        XCTAssertEqual(fits.utf8.count, 4095)
        XCTAssertNotNil(reader.read(fits + "\r\n").ticket)
        XCTAssertEqual(reader.read(fits + "AA"), .malformed(.tooLong))
        XCTAssertEqual(reader.read(String(repeating: "A", count: 4097)), .malformed(.tooLong))
        XCTAssertEqual(reader.read(String(repeating: "A", count: 4096)), .malformed(.json), "the longest is read")
        XCTAssertEqual(reader.read(String(repeating: "https://", count: 1_000_000)), .malformed(.tooLong))
    }

    func testARespeltTicketIsMalformed() {
        let text = SampleTickets.holdfast
        // Two or three digits of the last group are used; the next digit of the alphabet differs in unused bits only.
        XCTAssertNotEqual(text.utf8.count % 4, 0)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let loose = text.last.flatMap { last in digits.firstIndex(of: last).map { digits[$0 + 1] } }
        for respelt in [
            "\(text)=", "\(text)==", "\(text)===", text.replacing("J", with: "+"), text.replacing("J", with: "/"),
            text.dropLast() + String(loose ?? "!"), text.prefix(20) + "\n" + text.dropFirst(20),
            text.prefix(20) + " " + text.dropFirst(20), text.prefix(20) + "=" + text.dropFirst(20),
        ] as [String] {
            XCTAssertEqual(reader.read(respelt), .malformed(.encoding), respelt)
        }
        let wrong = SampleTickets.text(SampleTickets.signed(SampleTickets.claims.replacing("T-1", with: "T>~?")))
        XCTAssertNotNil(reader.read(wrong).ticket)
        let other = wrong.replacing("-", with: "+").replacing("_", with: "/")
        XCTAssertNotEqual(other, wrong)
        XCTAssertEqual(reader.read(other), .malformed(.encoding))
    }

    func testWhatIsNotOursIsForeignOrMalformed() throws {
        for text in [
            "https://example.com/t?id=eyJ", "WIFI:S:net;T:WPA;P:secret;;", "BEGIN:VCARD\nEND:VCARD",
            "mailto:a@b.example",
            "HC1:NCFTW2BM7YUO:20$Z9HW9U$Q1U3", "Hello, world", "Žluťoučký kůň", "{\"ticketId\":\"T-1\"}", "日本語",
            "a.b.c.d",
        ] {
            XCTAssertEqual(reader.read(text), .foreign, text)
        }
        XCTAssertEqual(reader.read("eyJ"), .malformed(.encoding))
        XCTAssertEqual(reader.read("eyJfakedata"), .malformed(.encoding))
        XCTAssertEqual(reader.read("eyJ fake data"), .malformed(.encoding))
        XCTAssertEqual(reader.read("4006381333931"), .malformed(.encoding))
        XCTAssertEqual(reader.read("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"), .malformed(.header))
        for (name, bytes) in try Vectors.files("foreign", where: { $0.hasSuffix(".txt") }) {
            XCTAssertEqual(reader.read(bytes), .foreign, name)
        }
        for (name, bytes) in try Vectors.files("qr", where: { $0.hasSuffix(".txt") }) {
            for reader in [reader, TicketReader(.canonical), TicketReader(.pretix)] {
                XCTAssertNil(reader.read(bytes).ticket, name)
            }
        }
    }

    func testTheContentKeepsWhatThisPackageDoesNotKnow() throws {
        let claims = SampleTickets.claims.replacing("{", with: #"{"name":"Zoë.1","#)
        let texts = [
            SampleTickets.text(SampleTickets.signed(claims)),
            SampleTickets.text(claims) + "." + SampleTickets.signatureText,
            SampleTickets.jws(header: #"{"alg":"EdDSA"}"#, claims: claims),
        ]
        for text in texts {
            let content = try XCTUnwrap(reader.read(text).ticket?.content)
            XCTAssertEqual(content["name"], "Zoë.1")
            XCTAssertEqual(content["validTo"], 1_780_358_400)
            XCTAssertNil(content["signature"])
        }
        XCTAssertNotNil(TicketReader(.pretix).read(SampleTickets.pretix).ticket)
        XCTAssertNil(TicketReader(.pretix).read(SampleTickets.pretix).ticket?.content)
    }
}
