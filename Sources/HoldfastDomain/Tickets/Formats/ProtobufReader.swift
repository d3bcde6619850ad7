/// Reads the fields of one protobuf message in written order (protobuf.dev, "Encoding"). Every length is checked
/// against what is there.
struct ProtobufReader {
    /// One field with its value, still untyped.
    struct Field {
        enum Value {
            case varint(UInt64)
            case bytes([UInt8])
            case fixed
        }

        var number: UInt64
        var value: Value
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next field; nil at the end.
    ///
    /// - Throws: `MalformedReason.structure` for a field that is cut off, a varint of more than 64 bits, a field
    ///   numbered 0, and groups, which nothing has used for long.
    mutating func next() throws -> Field? {
        guard index < bytes.count else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw MalformedReason.structure }
        switch tag & 7 {
        case 0: return Field(number: tag >> 3, value: .varint(try varint()))
        case 1: _ = try take(8)
        case 2: return Field(number: tag >> 3, value: .bytes(try take(try varint())))
        case 5: _ = try take(4)
        default: throw MalformedReason.structure
        }
        return Field(number: tag >> 3, value: .fixed)
    }

    private mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard index < bytes.count else { throw MalformedReason.structure }
            let byte = bytes[index]
            index += 1
            guard shift < 63 || byte <= 1 else { throw MalformedReason.structure }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw MalformedReason.structure
    }

    private mutating func take(_ count: UInt64) throws -> [UInt8] {
        guard count <= UInt64(bytes.count - index) else { throw MalformedReason.structure }
        let start = index
        index += Int(count)
        return Array(bytes[start..<index])
    }
}
