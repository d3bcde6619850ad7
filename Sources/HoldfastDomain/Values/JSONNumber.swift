extension JSONCursor {
    /// Reads the number that begins at the cursor (RFC 8259, section 6).
    ///
    /// A whole number without fraction and exponent keeps its digits or is refused; `-0` is the whole number 0.
    /// Any other number is the nearest double, and is refused where that would be infinite.
    mutating func number() throws -> JSONValue {
        let start = index
        let isNegative = current == UInt8(ascii: "-")
        if isNegative { advance() }
        let magnitude = try wholePart()
        var isWhole = true
        if current == UInt8(ascii: ".") {
            isWhole = false
            advance()
            try skipDigits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isWhole = false
            advance()
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { advance() }
            try skipDigits()
        }
        let value = isWhole ? Self.whole(magnitude, isNegative) : double(from: start)
        guard let value else { throw JSONError(.numberRange, offset: start) }
        return value
    }

    /// Steps over `0`, or digits that do not begin with 0; nil if what they say is above UInt64.max.
    private mutating func wholePart() throws -> UInt64? {
        if current == UInt8(ascii: "0") {
            advance()
            return 0
        }
        let start = index
        var magnitude: UInt64? = 0
        while let digit = currentDigit {
            let (product, tooBig) = (magnitude ?? .max).multipliedReportingOverflow(by: 10)
            let (sum, alsoTooBig) = product.addingReportingOverflow(UInt64(digit))
            magnitude = magnitude == nil || tooBig || alsoTooBig ? nil : sum
            advance()
        }
        guard index > start else { throw unexpected }
        return magnitude
    }

    private mutating func skipDigits() throws {
        guard currentDigit != nil else { throw unexpected }
        while currentDigit != nil { advance() }
    }

    private var currentDigit: UInt8? {
        guard let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        return byte - UInt8(ascii: "0")
    }

    private static func whole(_ magnitude: UInt64?, _ isNegative: Bool) -> JSONValue? {
        guard let magnitude else { return nil }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
        }
        return Int64(exactly: magnitude).map(JSONValue.integer) ?? .unsigned(magnitude)
    }

    private func double(from start: Int) -> JSONValue? {
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { return nil }
        return .double(value)
    }
}
