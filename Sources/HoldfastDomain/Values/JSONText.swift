/// A string inside a JSON text, checked but still as it was written; valid only while its bytes are lent.
struct JSONText {
    /// What stands between the quotes.
    let content: UnsafeBufferPointer<UInt8>
    /// Whether any of it is escaped.
    let hasEscapes: Bool

    /// The string that was meant.
    var string: String {
        hasEscapes ? String(decoding: unescaped, as: UTF8.self) : String(decoding: content, as: UTF8.self)
    }

    /// The UTF-8 bytes of the string that was meant.
    var unescaped: [UInt8] {
        guard hasEscapes else { return Array(content) }
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var index = 0
        while index < content.count {
            guard content[index] == UInt8(ascii: "\\"), index + 1 < content.count else {
                result.append(content[index])
                index += 1
                continue
            }
            let (character, length) = escape(at: index)
            result.append(contentsOf: UTF8.encode(character).map(Array.init) ?? [])
            index += length
        }
        return result
    }

    /// The character that the escape at `index` stands for, and the length of the escape.
    private func escape(at index: Int) -> (Unicode.Scalar, Int) {
        switch content[index + 1] {
        case UInt8(ascii: "b"): return ("\u{08}", 2)
        case UInt8(ascii: "f"): return ("\u{0c}", 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "u"):
            let lead = Self.codeUnit(in: content, at: index) ?? 0xfffd
            guard UTF16.isSurrogate(lead) else { return (Unicode.Scalar(lead) ?? "\u{fffd}", 6) }
            let trail = Self.codeUnit(in: content, at: index + 6) ?? 0xfffd
            let value = 0x10000 + (UInt32(lead & 0x3ff) << 10 | UInt32(trail & 0x3ff))
            return (Unicode.Scalar(value) ?? "\u{fffd}", 12)
        case let byte: return (Unicode.Scalar(byte), 2)
        }
    }

    /// The UTF-16 code unit of a `\uXXXX` at `index`; nil if there is none.
    static func codeUnit(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
        guard bytes.count - index >= 6, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for offset in 2..<6 {
            guard let digit = Hex.value(of: bytes[index + offset]) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Where the run of ASCII ends that stands for itself inside a string: at a quote, a backslash, a control character,
    /// a byte of another character, or the end. Nearly all of any text is such, so eight bytes are looked at together.
    static func endOfPlainASCII(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let every: UInt64 = 0x0101_0101_0101_0101
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while bytes.count &- index >= 8 {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // The top bit of a byte is set where it was, or where the subtraction went below 0; a borrow reaches only
            // bytes that come later.
            let isControl = word &- every &* 0x20
            let isQuote = (word ^ every &* 0x22) &- every
            let isBackslash = (word ^ every &* 0x5c) &- every
            let special = (word | isControl | isQuote | isBackslash) & (every &* 0x80)
            guard special == 0 else { return index &+ special.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < bytes.count, case let byte = bytes[index], byte &- 0x20 < 0x60, byte != 0x22, byte != 0x5c {
            index &+= 1
        }
        return index
    }

    /// Whether the string that was meant is `literal`.
    @inline(__always)
    func equals(_ literal: StaticString) -> Bool {
        guard hasEscapes || content.count == literal.utf8CodeUnitCount else { return false }
        let other = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        return self == JSONText(content: other, hasEscapes: false)
    }

    static func == (lhs: JSONText, rhs: JSONText) -> Bool {
        guard !lhs.hasEscapes && !rhs.hasEscapes else { return lhs.unescaped == rhs.unescaped }
        guard lhs.content.count == rhs.content.count else { return false }
        for index in 0..<lhs.content.count where lhs.content[index] != rhs.content[index] { return false }
        return true
    }
}

/// The names seen so far in one object, to notice one that comes twice in time that does not grow with the object.
struct JSONMemberNames {
    private var few: [JSONText] = []
    private var many: Set<[UInt8]> = []

    /// Takes a name; false if it was there already.
    mutating func insert(_ name: JSONText) -> Bool {
        guard many.isEmpty else { return many.insert(name.unescaped).inserted }
        if few.isEmpty { few.reserveCapacity(16) }
        for known in few where known == name { return false }
        few.append(name)
        if few.count == 16 { many = Set(few.map(\.unescaped)) }
        return true
    }
}
