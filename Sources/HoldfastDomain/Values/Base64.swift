/// Base 64 with `-` and `_` and without padding (RFC 4648, section 5; RFC 7515, section 2).
///
/// Each run of bytes has exactly one spelling here: padding, other alphabets, unused bits that are not zero and
/// whitespace are refused, so that a code cannot be respelt into another one.
public enum Base64URL {
    static let codec = Base64Codec(lastDigits: "-_", isPadded: false)

    /// The bytes as text.
    public static func encode(_ bytes: [UInt8]) -> String { codec.encode(bytes) }

    /// The bytes that `text` spells; nil for any other spelling than the one of `encode`.
    public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    /// The bytes that the ASCII in `text` spells; nil for any other spelling than the one of `encode`.
    public static func decode(_ text: [UInt8]) -> [UInt8]? { text.withUnsafeBufferPointer(codec.decode) }
}

/// Base 64 with `+` and `/` and padding (RFC 4648, section 4); as strict as `Base64URL`.
public enum Base64 {
    static let codec = Base64Codec(lastDigits: "+/", isPadded: true)

    /// The bytes as text.
    public static func encode(_ bytes: [UInt8]) -> String { codec.encode(bytes) }

    /// The bytes that `text` spells; nil for any other spelling than the one of `encode`.
    public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    /// The bytes that the ASCII in `text` spells; nil for any other spelling than the one of `encode`.
    public static func decode(_ text: [UInt8]) -> [UInt8]? { text.withUnsafeBufferPointer(codec.decode) }
}

/// One alphabet of RFC 4648 with its padding rule.
struct Base64Codec: Sendable {
    private static let padding = UInt8(ascii: "=")
    private static let noDigit: UInt8 = 0xff

    private let digits: [UInt8]
    private let values: [UInt8]
    private let isPadded: Bool

    init(lastDigits: String, isPadded: Bool) {
        digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(lastDigits)".utf8)
        var values = [UInt8](repeating: Self.noDigit, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        self.values = values
        self.isPadded = isPadded
    }

    func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for digit in 0...count { text.append(digits[Int(group >> UInt32(18 - 6 * digit) & 0x3f)]) }
            if isPadded { for _ in count..<3 { text.append(Self.padding) } }
        }
        return String(decoding: text, as: UTF8.self)
    }

    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let count = digitCount(of: text), count % 4 != 1 else { return nil }
        let whole = count / 4
        let rest = count % 4
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: whole * 3 + max(rest - 1, 0)) { output, written in
            values.withUnsafeBufferPointer { values in
                // A value above 63 in any place shows in the top bits of `seen`.
                var seen: UInt8 = 0
                func value(_ index: Int) -> UInt32 {
                    let value = values[Int(text[index])]
                    seen |= value
                    return UInt32(value & 0x3f)
                }
                for group in 0..<whole {
                    let start = group * 4
                    let bits =
                        value(start) << 18 | value(start + 1) << 12 | value(start + 2) << 6 | value(start + 3)
                    output[group * 3] = UInt8(truncatingIfNeeded: bits >> 16)
                    output[group * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                    output[group * 3 + 2] = UInt8(truncatingIfNeeded: bits)
                }
                var unused: UInt32 = 0
                if rest > 1 {
                    let start = whole * 4
                    let bits = value(start) << 18 | value(start + 1) << 12 | (rest == 3 ? value(start + 2) << 6 : 0)
                    output[whole * 3] = UInt8(truncatingIfNeeded: bits >> 16)
                    if rest == 3 { output[whole * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
                    unused = rest == 3 ? bits & 0xff : bits & 0xffff
                }
                isValid = seen <= 0x3f && unused == 0
            }
            written = output.count
        }
        return isValid ? bytes : nil
    }

    /// How many digits there are before the padding; nil if the padding is not what it must be.
    private func digitCount(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard isPadded else { return text.count }
        guard text.count % 4 == 0 else { return nil }
        var count = text.count
        while count > 0, text.count - count < 2, text[count - 1] == Self.padding { count -= 1 }
        return count
    }
}
