import HoldfastDomain
import HoldfastInMemory
import XCTest

/// No text traps, and no damaged one reads as the ticket that it was: what still has the shape of a ticket (a JWS that
/// lost its header has that of a compact one) says that something else is signed, so that no signature fits.
final class TicketDamageTests: XCTestCase {
    private let samples = [SampleTickets.holdfast, SampleTickets.compact, SampleTickets.jws, SampleTickets.pretix]
    private let readers = [TicketReader(.holdfast), TicketReader(.canonical), TicketReader(.pretix)]

    func testATicketCutAnywhereIsNoneOrSignedOtherwise() {
        for text in samples.map({ Array($0.utf8) }) {
            for reader in readers {
                guard let original = reader.read(text).ticket else { continue }
                for length in 0..<text.count {
                    XCTAssertNil(reader.read(Array(text.prefix(length))).ticket)
                    let rest = reader.read(Array(text.suffix(length))).ticket
                    XCTAssertNotEqual(rest?.signedBytes, original.signedBytes)
                }
            }
        }
    }

    func testATicketWithAnyByteChangedIsNoneOrSignedOtherwise() {
        for text in samples.map({ Array($0.utf8) }) {
            for reader in readers {
                guard let original = reader.read(text).ticket else { continue }
                for place in text.indices {
                    for bit in 0..<8 {
                        var damaged = text
                        damaged[place] ^= 1 << UInt8(bit)
                        guard let ticket = reader.read(damaged).ticket else { continue }
                        let isSame =
                            ticket.signedBytes == original.signedBytes && ticket.signature == original.signature
                        XCTAssertFalse(isSame, "byte \(place), bit \(bit)")
                    }
                }
            }
        }
    }

    func testJSONWithAnyByteChangedIsNoneOrSignedOtherwise() {
        let json = Array(SampleTickets.signed(SampleTickets.claims).utf8)
        for place in json.indices {
            for value in [0x00, 0x20, 0x22, 0x2c, 0x30, 0x5c, 0x7b, 0x7d, 0x80, 0xff] as [UInt8]
            where json[place] != value {
                var damaged = json
                damaged[place] = value
                guard let ticket = readers[0].read(Base64URL.encode(damaged)).ticket else { continue }
                let isSame =
                    ticket.signature == SampleTickets.signature
                    && ticket.signedBytes == Array(SampleTickets.claims.utf8)
                XCTAssertFalse(isSame, "byte \(place), value \(value)")
            }
        }
    }

    func testAHundredThousandRandomTextsAreNone() {
        let source = SeededRandom(seed: 7)
        var dice = SourceGenerator(source)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= \\\"{}:,".utf8)
        let whole = [SampleTickets.holdfast, SampleTickets.compact, SampleTickets.pretix].map { Array($0.utf8) }
        for round in 0..<100_000 {
            let random = source.bytes(Int.random(in: 0..<64, using: &dice))
            var text: [UInt8]
            switch round % 4 {
            case 0: text = random
            case 1: text = random.map { digits[Int($0) % digits.count] }
            case 2: text = Array(Base64URL.encode(random.map { $0 & 0x7f }).utf8)
            default:
                // The end of a ticket with one digit changed.
                let ticket = whole[Int.random(in: 0..<whole.count, using: &dice)]
                text = Array(ticket[Int.random(in: 1..<ticket.count, using: &dice)...])
                if let first = text.indices.randomElement(using: &dice) {
                    text[first] = digits[Int.random(in: 0..<digits.count, using: &dice)]
                }
            }
            XCTAssertNil(readers[round % readers.count].read(text).ticket)
        }
    }
}
