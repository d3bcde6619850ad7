/// Moves through a JSON text token by token and checks each against RFC 8259 strictly, in one pass.
///
/// It points into the text, so it lives only inside the closure that lends the bytes.
struct JSONCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The byte at the cursor; nil at the end.
    var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// A fault at the cursor: whatever stands there does not belong there.
    var unexpected: JSONError { JSONError(index < bytes.count ? .unexpectedByte : .unexpectedEnd, offset: index) }

    /// Steps over the byte at the cursor.
    mutating func advance() { index += 1 }

    /// Steps over space, tab, line feed and carriage return (section 2).
    mutating func skipWhitespace() {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
            index += 1
        }
    }

    /// Steps over `byte`, which must stand at the cursor.
    mutating func expect(_ byte: UInt8) throws {
        guard index < bytes.count, bytes[index] == byte else { throw unexpected }
        index += 1
    }

    /// Steps over a literal name such as `true`.
    mutating func expect(_ literal: StaticString) throws {
        for offset in 0..<literal.utf8CodeUnitCount { try expect(literal.utf8Start[offset]) }
    }

    /// Reads the string that begins at the cursor (section 7).
    mutating func string() throws -> JSONText {
        try expect(UInt8(ascii: "\""))
        let start = index
        var hasEscapes = false
        while true {
            index = JSONText.endOfPlainASCII(in: bytes, from: index)
            guard index < bytes.count else { throw unexpected }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let content = UnsafeBufferPointer(rebasing: bytes[start..<index])
                index += 1
                return JSONText(content: content, hasEscapes: hasEscapes)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try skipEscape()
            } else if byte < 0x20 {
                throw JSONError(.controlCharacter, offset: index)
            } else {
                try skipMultibyteCharacter(leader: byte)
            }
        }
    }

    private mutating func skipEscape() throws {
        let start = index
        guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, offset: bytes.count) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index = start + 2
        case UInt8(ascii: "u"):
            guard let unit = JSONText.codeUnit(in: bytes, at: start) else {
                throw JSONError(.invalidEscape, offset: start)
            }
            index = start + 6
            guard UTF16.isSurrogate(unit) else { return }
            guard UTF16.isLeadSurrogate(unit), let trail = JSONText.codeUnit(in: bytes, at: index),
                UTF16.isTrailSurrogate(trail)
            else { throw JSONError(.loneSurrogate, offset: start) }
            index += 6
        default:
            throw JSONError(.invalidEscape, offset: start)
        }
    }

    /// Steps over one well-formed sequence of two to four bytes (RFC 3629, section 4).
    private mutating func skipMultibyteCharacter(leader: UInt8) throws {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xbf
        switch leader {
        case 0xc2...0xdf: length = 2
        case 0xe0: (length, second) = (3, 0xa0...0xbf)
        case 0xed: (length, second) = (3, 0x80...0x9f)
        case 0xe1...0xef: length = 3
        case 0xf0: (length, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: length = 4
        case 0xf4: (length, second) = (4, 0x80...0x8f)
        default: throw JSONError(.invalidUTF8, offset: index)
        }
        guard bytes.count - index >= length, second.contains(bytes[index + 1]) else {
            throw JSONError(.invalidUTF8, offset: index)
        }
        for offset in 2..<length where bytes[index + offset] & 0xc0 != 0x80 {
            throw JSONError(.invalidUTF8, offset: index)
        }
        index += length
    }
}

extension UTF16 {
    static func isSurrogate(_ unit: UInt16) -> Bool { unit & 0xf800 == 0xd800 }
}
