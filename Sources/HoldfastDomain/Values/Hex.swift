/// Base 16 (RFC 4648, section 8).
public enum Hex {
    static let lowercase = Array("0123456789abcdef".utf8)

    /// The lower-case digit of the lowest four bits.
    static func digit(_ value: UInt64) -> UInt8 {
        let number = UInt8(truncatingIfNeeded: value & 15)
        return number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
    }

    /// The value of one hexadecimal digit in either case; nil for anything else.
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): return byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): return byte - UInt8(ascii: "A") + 10
        default: return nil
        }
    }

    /// The bytes as lower-case digits.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(lowercase[Int(byte >> 4)])
            text.append(lowercase[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that the digits stand for; nil for an odd count or anything that is no digit.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var pending: UInt8?
        for unit in text.utf8 {
            guard let digit = value(of: unit) else { return nil }
            if let first = pending {
                bytes.append(first << 4 | digit)
                pending = nil
            } else {
                pending = digit
            }
        }
        return pending == nil ? bytes : nil
    }
}
