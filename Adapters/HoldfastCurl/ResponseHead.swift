import HoldfastDomain

/// The header fields of an answer, gathered line by line.
struct ResponseHead {
    /// How many bytes of header are taken; a server that sends more is not believed.
    static let limit = 256 * 1024

    private(set) var fields: [HeaderField] = []
    private var size = 0

    /// Whether there was more than the limit.
    var isTooLarge: Bool { size > Self.limit }

    /// Takes one line; false when there have been too many.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        guard !isTooLarge else { return false }
        let text = line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        if text.starts(with: "HTTP/".utf8) {
            // An interim answer, such as 100, may have come before; what counts is the last (RFC 9110, section 15.2).
            fields = []
        } else if text.first == UInt8(ascii: " ") || text.first == UInt8(ascii: "\t") {
            // A folded line belongs to the field before it (RFC 9112, section 5.2).
            guard let last = fields.indices.last else { return true }
            fields[last].value += " " + Self.trimmed(text[...])
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            fields.append(HeaderField(Self.trimmed(text[..<colon]), Self.trimmed(text[text.index(after: colon)...])))
        }
        return true
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        return String(decoding: bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed(), as: UTF8.self)
    }
}
