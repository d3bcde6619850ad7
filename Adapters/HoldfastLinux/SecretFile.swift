/// How a secret lies in its file: `HFKV 01`, the length, the secret, and a checksum of all that.
///
/// The checksum detects damage, such as zeros after a crash; it is no protection against anybody.
enum SecretFile {
    /// The longest secret that can be stored, in bytes.
    static let limit = 1 << 20
    /// What the form adds, in bytes.
    static let overhead = 5 + 4 + 4

    private static let mark = Array("HFKV".utf8) + [1]

    static func encode(_ secret: [UInt8]) -> [UInt8] {
        let content = mark + bigEndian(UInt32(truncatingIfNeeded: secret.count)) + secret
        return content + bigEndian(checksum(content))
    }

    /// The secret, or nil if this is not what `encode` made.
    static func decode(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= overhead, bytes.starts(with: mark) else { return nil }
        let content = bytes.dropLast(4)
        let secret = Array(content.dropFirst(mark.count + 4))
        guard
            content.dropFirst(mark.count).prefix(4).elementsEqual(bigEndian(UInt32(truncatingIfNeeded: secret.count))),
            bytes.suffix(4).elementsEqual(bigEndian(checksum(content)))
        else { return nil }
        return secret
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// CRC-32 (RFC 1952, section 8).
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
        }
    }
}
