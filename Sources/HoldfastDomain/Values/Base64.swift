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
        let rest = bytes.count % 3
        let length = bytes.count / 3 * 4 + (rest == 0 ? 0 : isPadded ? 4 : rest + 1)
        return String(unsafeUninitializedCapacity: length) { text in
            var end = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let count = min(3, bytes.count - start)
                var bits = UInt32(bytes[start]) << 16
                if count > 1 { bits |= UInt32(bytes[start + 1]) << 8 }
                if count > 2 { bits |= UInt32(bytes[start + 2]) }
                for place in 0..<min(4, length - end) {
                    text[end + place] = place > count ? Self.padding : digits[Int(bits >> 18)]
                    bits = bits << 6 & 0xff_ffff
                }
                end += 4
            }
            return length
        }
    }

    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let count = digitCount(of: text), count % 4 != 1 else { return nil }
        let whole = count / 4
        let rest = count % 4
        let length = whole * 3 + max(rest - 1, 0)
        var isValid = true
        var bytes = [UInt8](repeating: 0, count: length)
        bytes.withUnsafeMutableBufferPointer { output in
            values.withUnsafeBufferPointer { values in
                // A byte that is no digit has a value above 63, which stays visible in the top bits of `seen`.
                var seen: UInt32 = 0
                var next = 0
                var end = 0
                while next < whole &* 4 {
                    let first = UInt32(values[Int(text[next])])
                    let second = UInt32(values[Int(text[next &+ 1])])
                    let third = UInt32(values[Int(text[next &+ 2])])
                    let fourth = UInt32(values[Int(text[next &+ 3])])
                    seen |= first | second | third | fourth
                    let bits = first << 18 | second << 12 | third << 6 | fourth
                    output[end] = UInt8(truncatingIfNeeded: bits >> 16)
                    output[end &+ 1] = UInt8(truncatingIfNeeded: bits >> 8)
                    output[end &+ 2] = UInt8(truncatingIfNeeded: bits)
                    next &+= 4
                    end &+= 3
                }
                if rest > 1 {
                    let first = UInt32(values[Int(text[next])])
                    let second = UInt32(values[Int(text[next + 1])])
                    let third = rest == 3 ? UInt32(values[Int(text[next + 2])]) : 0
                    seen |= first | second | third
                    let bits = first << 18 | second << 12 | third << 6
                    output[end] = UInt8(truncatingIfNeeded: bits >> 16)
                    if rest == 3 { output[end + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
                    isValid = bits & (rest == 3 ? 0xff : 0xffff) == 0
                }
                isValid = isValid && seen <= 0x3f
            }
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
