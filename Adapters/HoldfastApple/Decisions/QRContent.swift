/// What a QR code holds, from what the system tells of it.
enum QRContent {
    /// The text's bytes where the system has read one, else the bytes of the code's own byte segments.
    ///
    /// Bytes that are no text are no ticket either, but an attempt is recorded with the hash of exactly what was shown.
    static func bytes(text: String?, codewords: [UInt8]?, version: Int) -> [UInt8]? {
        if let text { return Array(text.utf8) }
        guard let codewords else { return nil }
        return segments(codewords, version: version) ?? codewords
    }

    /// The bytes of all segments (ISO/IEC 18004, section 7.4); nil if there is one in a mode that needs no decoding
    /// here, because the system reads those as text, or if a segment is longer than the code.
    private static func segments(_ codewords: [UInt8], version: Int) -> [UInt8]? {
        var bits = BitReader(codewords)
        var bytes: [UInt8] = []
        while let mode = bits.next(4), mode != 0 {
            switch mode {
            case 0b0100:
                guard let count = bits.next(version < 10 ? 8 : 16) else { return nil }
                for _ in 0..<count {
                    guard let byte = bits.next(8) else { return nil }
                    bytes.append(UInt8(truncatingIfNeeded: byte))
                }
            case 0b0111:  // which character set follows, in one, two or three bytes
                guard let first = bits.next(8) else { return nil }
                let rest = first & 0x80 == 0 ? 0 : first & 0x40 == 0 ? 8 : 16
                guard rest == 0 || bits.next(rest) != nil else { return nil }
            default: return nil
            }
        }
        return bytes
    }
}

/// Reads bits, most significant first.
private struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next bits as a number; nil if there are not so many left.
    mutating func next(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> (7 - position % 8) & 1)
            position += 1
        }
        return value
    }
}
