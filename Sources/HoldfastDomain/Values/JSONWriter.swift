extension JSONValue {
    /// The value as compact JSON in UTF-8.
    ///
    /// Members keep their order, integers their digits, and a double has the shortest digits that read back as it.
    /// Only what must be escaped is. What is written here, `parse` reads back as the same value, as long as no
    /// object was given one name twice.
    ///
    /// - Throws: `JSONError`: `numberRange` for NaN and infinities, `tooDeep` beyond the limit.
    public func encoded(limits: JSONLimits = JSONLimits()) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        try write(into: &bytes, limits: limits)
        return bytes
    }

    /// Appends the value as `encoded` gives it; after an error `bytes` are what they were.
    public func write(into bytes: inout [UInt8], limits: JSONLimits = JSONLimits()) throws {
        let start = bytes.count
        do {
            try JSONWriter.append(self, to: &bytes, remainingDepth: limits.maxDepth)
        } catch {
            bytes.removeLast(bytes.count - start)
            throw error
        }
    }
}

enum JSONWriter {
    static func append(_ value: JSONValue, to bytes: inout [UInt8], remainingDepth: Int) throws {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .unsigned(let number): bytes.append(contentsOf: String(number).utf8)
        case .double(let number):
            // Swift's shortest description of a finite double is a JSON number: 1.0, 1e-05, 1e+20.
            guard number.isFinite else { throw JSONError(.numberRange) }
            bytes.append(contentsOf: number.description.utf8)
        case .string(let text): append(text, to: &bytes)
        case .array(let elements):
            guard remainingDepth > 0 else { throw JSONError(.tooDeep) }
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try append(element, to: &bytes, remainingDepth: remainingDepth - 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            guard remainingDepth > 0 else { throw JSONError(.tooDeep) }
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try append(member.value, to: &bytes, remainingDepth: remainingDepth - 1)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string in quotes, with the escapes of RFC 8785, section 3.2.2.2: the shortest that JSON has.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { content in
            var clean = 0
            var index = 0
            while index < content.count {
                index = JSONText.endOfPlainASCII(in: content, from: index)
                guard index < content.count, content[index] < 0x80 else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[clean..<index]))
                appendEscape(of: content[index], to: &bytes)
                index += 1
                clean = index
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[clean...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0a: bytes.append(UInt8(ascii: "n"))
        case 0x0c: bytes.append(UInt8(ascii: "f"))
        case 0x0d: bytes.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Hex.lowercase[Int(byte >> 4)])
            bytes.append(Hex.lowercase[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
