import HoldfastDomain

extension Arguments {
    /// A number of seconds in decimal digits, with a fraction or without, up to a year; nil if the option was not given.
    func interval(_ name: String) throws -> Interval? {
        try value(name, as: "a number of seconds") { Interval(decimalSeconds: $0, upTo: .days(365)) }
    }

    /// An http or https URL that has to be there. Schemes have no case (RFC 3986, section 3.1).
    func url(_ name: String) throws -> String {
        let text = try required(name)
        guard ["http://", "https://"].contains(where: { text.prefix($0.count).lowercased() == $0 }) else {
            throw UsageError("\(name) is not an http or https URL")
        }
        return text
    }
}

extension Interval {
    /// The seconds that decimal digits say, such as `3` or `0.25`, to the millisecond; nil for anything else, such as a
    /// sign, an exponent or another base, and for more than `limit`.
    init?(decimalSeconds text: String, upTo limit: Interval) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.count <= 9 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard areDigits, let seconds = Int64(parts[0]) else { return nil }
        let digits = parts.count == 2 ? parts[1].prefix(3) : ""
        guard let milliseconds = Int64("0\(digits)\(String(repeating: "0", count: 3 - digits.count))") else {
            return nil
        }
        self = .seconds(seconds) + .milliseconds(milliseconds)
        guard self <= limit else { return nil }
    }
}
