import HoldfastDomain

/// Makes valid gzip without compressing: stored blocks (RFC 1951, section 3.2.4) in a gzip member (RFC 1952).
///
/// Any gzip reader takes it, so a test server needs to know nothing, and a test can read what was packed.
public struct StoredCompressor: Compressor {
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    /// A compressor.
    public init() {}

    /// `bytes` as one gzip member, about 18 bytes longer than they are.
    public func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var result = Self.header
        result.reserveCapacity(bytes.count + bytes.count / 65535 * 5 + 32)
        var start = 0
        repeat {
            let end = min(start + 65535, bytes.count)
            let length = UInt16(end - start)
            result.append(end == bytes.count ? 1 : 0)
            result.append(littleEndian: length)
            result.append(littleEndian: ~length)
            result += bytes[start..<end]
            start = end
        } while start < bytes.count
        result.append(littleEndian: CRC32.checksum(bytes))
        result.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
        return result
    }

    /// What `gzip` packed; nil for anything else, also for gzip that really compresses.
    public func unpack(_ member: [UInt8]) -> [UInt8]? {
        guard member.starts(with: Self.header) else { return nil }
        var result: [UInt8] = []
        var rest = member.dropFirst(Self.header.count)
        var isLast = false
        while !isLast {
            guard let kind = rest.popFirst(), kind <= 1, let length = rest.popLittleEndian(UInt16.self),
                rest.popLittleEndian(UInt16.self) == ~length, rest.count >= length
            else { return nil }
            result += rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            isLast = kind == 1
        }
        guard rest.popLittleEndian(UInt32.self) == CRC32.checksum(result),
            rest.popLittleEndian(UInt32.self) == UInt32(truncatingIfNeeded: result.count), rest.isEmpty
        else { return nil }
        return result
    }
}

/// The checksum of gzip (RFC 1952, section 8).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func popLittleEndian<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard count >= size else { return nil }
        defer { self = dropFirst(size) }
        return prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
