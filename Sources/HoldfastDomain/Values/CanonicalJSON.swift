extension JSONValue {
    /// The value in the one form that RFC 8785 (JCS) gives it: compact, members ordered by the UTF-16 units of their
    /// names, numbers as ECMAScript writes them.
    ///
    /// - Throws: `JSONError`: `numberRange` for a number that no double holds exactly (RFC 8785, section 3.1, leaves
    ///   those to strings), `duplicateMember` for a name twice in one object, `tooDeep` beyond the limit.
    public func canonical(limits: JSONLimits = JSONLimits()) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try appendCanonical(to: &bytes, remainingDepth: limits.maxDepth)
        return bytes
    }

    private func appendCanonical(to bytes: inout [UInt8], remainingDepth: Int) throws {
        switch self {
        case .integer(let number): try Self.appendCanonical(Double(exactly: number), to: &bytes)
        case .unsigned(let number): try Self.appendCanonical(Double(exactly: number), to: &bytes)
        case .double(let number): try Self.appendCanonical(number, to: &bytes)
        case .array(let elements):
            guard remainingDepth > 0 else { throw JSONError(.tooDeep) }
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try element.appendCanonical(to: &bytes, remainingDepth: remainingDepth - 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            guard remainingDepth > 0 else { throw JSONError(.tooDeep) }
            let members = object.members.sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 {
                    guard !member.name.isExactly(members[index - 1].name) else { throw JSONError(.duplicateMember) }
                    bytes.append(UInt8(ascii: ","))
                }
                JSONWriter.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try member.value.appendCanonical(to: &bytes, remainingDepth: remainingDepth - 1)
            }
            bytes.append(UInt8(ascii: "}"))
        case .null, .bool, .string:
            try JSONWriter.append(self, to: &bytes, remainingDepth: 0)
        }
    }

    private static func appendCanonical(_ number: Double?, to bytes: inout [UInt8]) throws {
        guard let number, number.isFinite else { throw JSONError(.numberRange) }
        bytes.append(contentsOf: ECMAScriptNumber.text(of: number).utf8)
    }
}

/// How ECMAScript turns a number into text (ECMA-262, Number::toString), which RFC 8785, section 3.2.2.3, prescribes.
enum ECMAScriptNumber {
    /// The text of a finite number.
    static func text(of number: Double) -> String {
        guard number != 0 else { return "0" }
        let sign = number < 0 ? "-" : ""
        let (digits, point) = shortestDigits(of: number.magnitude)
        if point > 21 || point <= -6 {
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            return sign + digits.prefix(1) + fraction + (point > 0 ? "e+" : "e-") + String((point - 1).magnitude)
        }
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }

    /// The fewest digits that tell a positive number from all others, without zeros at either end, and how many of
    /// them (perhaps fewer than none) stand before the point. Swift's description has those digits, in its own form.
    private static func shortestDigits(of number: Double) -> (digits: String, point: Int) {
        let parts = number.description.split(separator: "e")
        let mantissa = (parts.first ?? "0").split(separator: ".")
        let whole = mantissa.first ?? "0"
        var digits = whole + (mantissa.count > 1 ? mantissa[1] : "")
        var point = whole.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while digits.first == "0" {
            digits.removeFirst()
            point -= 1
        }
        while digits.last == "0" { digits.removeLast() }
        return (String(digits), point)
    }
}
