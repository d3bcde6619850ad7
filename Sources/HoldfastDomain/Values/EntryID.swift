/// The permanent, 16-byte id of one entry: a random (version 4) UUID made when the thing happened.
///
/// It is the id a server dedups by, so it never changes, whatever is retried. Text is lower case; reading accepts
/// either case (RFC 9562, section 4).
public struct EntryID: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// The id with these 16 bytes, as two big-endian halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id with these 16 bytes, or nil for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(high: Self.number(bytes.prefix(8)), low: Self.number(bytes.suffix(8)))
    }

    /// A new random id, marked as version 4 (RFC 9562, section 5.4).
    public init(random source: any RandomSource) {
        // Drawn at once: each draw is a call of the kernel where the source is the kernel's.
        let bytes = source.bytes(16)
        self.init(
            high: Self.number(bytes.prefix(8)) & 0xffff_ffff_ffff_0fff | 0x4000,
            low: Self.number(bytes.suffix(8)) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        )
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Reads `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in either case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (offset, byte) in text.utf8.enumerated() {
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Hex.value(of: byte), digits < 32 else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(digit)
            } else {
                halves.1 = halves.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
        guard digits == 32 else { return nil }
        self.init(high: halves.0, low: halves.1)
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(16)
        for half in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return result
    }
}

extension EntryID: CustomStringConvertible {
    /// The id as lower-case UUID text.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the id's text in ASCII.
    func appendText(to text: inout [UInt8]) {
        for shift in stride(from: 60, through: 0, by: -4) {
            if shift == 28 || shift == 12 { text.append(UInt8(ascii: "-")) }
            text.append(Hex.digit(high >> UInt64(shift)))
        }
        text.append(UInt8(ascii: "-"))
        for shift in stride(from: 60, through: 0, by: -4) {
            if shift == 44 { text.append(UInt8(ascii: "-")) }
            text.append(Hex.digit(low >> UInt64(shift)))
        }
    }
}
