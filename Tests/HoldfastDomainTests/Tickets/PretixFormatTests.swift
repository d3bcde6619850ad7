import HoldfastDomain
import XCTest

final class PretixFormatTests: XCTestCase {
    private func read(_ text: String) -> TicketReading { PretixFormat().read(Array(text.utf8)) }
    private func read(payload: [UInt8]) -> TicketReading { read(SampleTickets.pretix(payload: payload)) }

    private let seed: [UInt8] = [0x0a, 1, UInt8(ascii: "s")]

    func testFieldsBecomeATicket() throws {
        let ticket = try XCTUnwrap(read(SampleTickets.pretix).ticket)
        XCTAssertEqual(ticket.id, "seed-0001")
        XCTAssertEqual(ticket.product, "42")
        XCTAssertNil(ticket.event)
        XCTAssertNil(ticket.zone)
        XCTAssertNil(ticket.keyID)
        XCTAssertNil(ticket.validFrom)
        XCTAssertEqual(ticket.validTo?.milliseconds, 1_700_000_000_000)
        XCTAssertEqual(ticket.signature, SampleTickets.signature)
        XCTAssertEqual(ticket.signedBytes.count, 21)
    }

    func testUnknownFieldsAreSkippedAndTheLastOfAFieldCounts() {
        let unknown: [[UInt8]] = [
            [0x18, 0x96, 0x01], [0x20, 0x0e], [0x3a, 2, 0xff, 0xfe], [0x41] + [UInt8](repeating: 9, count: 8),
            [0x4d, 1, 2, 3, 4], [0xf8, 0xff, 0xff, 0xff, 0x0f, 1], [0x12, 1, 7], [0x2a, 0],
        ]
        for field in unknown {
            XCTAssertEqual(read(payload: field + seed + [0x10, 1]).ticket?.product, "1", "\(field)")
            XCTAssertEqual(read(payload: seed + [0x10, 1] + field).ticket?.id, "s", "\(field)")
        }
        XCTAssertEqual(read(payload: seed + [0x10, 1, 0x10, 2, 0x0a, 1, UInt8(ascii: "t")]).ticket?.product, "2")
        let largest = [UInt8](repeating: 0xff, count: 9) + [1]
        XCTAssertEqual(read(payload: seed + [0x10] + largest).ticket?.product, "-1")
    }

    func testWhatDoesNotAddUpIsRefused() {
        let structure: [[UInt8]] = [
            [0x0a], [0x0a, 5, 1], [0x10], [0x10, 0x80], [0x10] + [UInt8](repeating: 0x80, count: 10),
            [0x10] + [UInt8](repeating: 0xff, count: 9) + [2], [0x00, 1], [0x02, 0], [0x0b], [0x0c], [0x0e], [0x0f],
            [0x41, 1, 2], [0x4d, 1], [0x0a, 1, 0xff],
            [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1],
            [0x80, 0x80, 0x80, 0x80, 0x10, 1],
        ]
        for field in structure {
            XCTAssertEqual(read(payload: seed + [0x10, 1] + field), .malformed(.structure), "\(field)")
        }
        XCTAssertEqual(read(payload: []), .malformed(.member))
        XCTAssertEqual(read(payload: seed), .malformed(.member))
        XCTAssertEqual(read(payload: [0x10, 1]), .malformed(.member))
        XCTAssertEqual(read(payload: [0x0a, 0, 0x10, 1]), .malformed(.member))
        XCTAssertEqual(read(payload: [0x0a, 1, 0, 0x10, 1]), .malformed(.member))
        XCTAssertEqual(read(payload: seed + [0x10, 1, 0x28, 5, 0x30, 5]), .malformed(.time))
        XCTAssertEqual(
            read(payload: seed + [0x10, 1, 0x30] + [UInt8](repeating: 0xff, count: 8) + [0x7f]),
            .malformed(.time)
        )
    }

    func testTheEnvelopeMustAddUp() {
        let payload = seed + [0x10, 1]
        XCTAssertEqual(read(SampleTickets.pretix(payload: payload, version: 2)), .malformed(.structure))
        for count in [0, 63, 65] {
            let signature = [UInt8](repeating: 1, count: count)
            XCTAssertEqual(read(SampleTickets.pretix(payload: payload, signature: signature)), .malformed(.signature))
        }
        let good = Array([1, 0, 5, 0, 64] + payload + SampleTickets.signature)
        func envelope(_ bytes: [UInt8]) -> TicketReading { read(String(Base64.encode(bytes).reversed())) }
        XCTAssertNotNil(envelope(good).ticket)
        XCTAssertEqual(envelope(good + [0]), .malformed(.structure))
        XCTAssertEqual(envelope(Array(good.dropLast())), .malformed(.structure))
        XCTAssertEqual(envelope([1, 0xff, 0xff] + good.dropFirst(3)), .malformed(.structure))
        for count in 0..<5 { XCTAssertEqual(envelope(Array(good.prefix(count))), .malformed(.structure)) }
        XCTAssertEqual(read(Base64.encode(good)), .malformed(.encoding))
        XCTAssertEqual(read("a+b/c d"), .foreign)
        XCTAssertEqual(read("a.b"), .foreign)
    }

    func testSecretsOfOthers() throws {
        let secrets = try JSONValue.parse(try Vectors.bytes("pretix", "signed_secrets.json"))
        for secret in try XCTUnwrap(secrets.arrayValue) {
            let text = try XCTUnwrap(secret["qr"]?.stringValue)
            let ticket = try XCTUnwrap(read(text).ticket, text)
            XCTAssertEqual(Hex.encode(ticket.signedBytes), secret["payload_hex"]?.stringValue)
            XCTAssertEqual(Hex.encode(ticket.signature), secret["sig_hex"]?.stringValue)
            // One is forged, and nobody has written down what it claims.
            guard let payload = secret["payload"] else { continue }
            XCTAssertEqual(ticket.id, payload["seed"]?.stringValue)
            XCTAssertEqual(ticket.product, payload["item"]?.integerValue.map { String($0) })
            for (time, name) in [(ticket.validFrom, "validFromUnix"), (ticket.validTo, "validUntilUnix")] {
                let seconds = payload[name]?.integerValue.flatMap { $0 == 0 ? nil : $0 }
                XCTAssertEqual(time?.milliseconds, seconds.map { $0 * 1000 }, name)
            }
        }
    }
}
