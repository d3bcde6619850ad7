/// How long a server asks to be left alone (RFC 9110, section 10.2.3).
public enum RetryAfter {
    /// No server is obeyed for longer than this.
    public static let longest = Interval.hours(24)

    /// Reads the values of all `Retry-After` fields of one answer, as they came.
    ///
    /// A value is a number of seconds in digits, or a date in any form of `HTTPDate`; a date that has passed is no
    /// wait at all, and a longer wait than `longest` is cut to it. Several fields count only if they agree, also
    /// where a client library has joined them with commas. Anything else is nonsense and gives nil, so that the
    /// caller's own delay applies.
    public static func parse(values: [String], now: Timestamp) -> Interval? {
        let waits = values.flatMap(separated).map { wait($0, now: now) }
        guard let first = waits.first, waits.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    private static func wait(_ value: Substring, now: Timestamp) -> Interval? {
        let text = value.trimmed
        if let seconds = seconds(text) { return min(.seconds(seconds), longest) }
        guard let date = HTTPDate.parse(String(text), now: now) else { return nil }
        return min(max(date - now, .zero), longest)
    }

    /// Digits as a number, saturating; nil for anything else.
    private static func seconds(_ text: Substring) -> Int64? {
        guard !text.isEmpty else { return nil }
        var seconds: Int64 = 0
        for byte in text.utf8 {
            guard case let digit = byte &- UInt8(ascii: "0"), digit < 10 else { return nil }
            seconds = seconds.multipliedSaturated(by: 10).addingSaturated(Int64(digit))
        }
        return seconds
    }

    /// The numbers that were joined with commas; a date has letters and stays whole.
    private static func separated(_ value: String) -> [Substring] {
        let isNumbers = value.utf8.allSatisfy { byte in
            byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x09 || byte &- UInt8(ascii: "0") < 10
        }
        return isNumbers ? value.split(separator: ",", omittingEmptySubsequences: false) : [value[...]]
    }
}

extension Substring {
    /// Without the spaces and tabs around (RFC 9110, section 5.6.3).
    fileprivate var trimmed: Substring {
        var result = self
        while let first = result.first, first == " " || first == "\t" { result.removeFirst() }
        while let last = result.last, last == " " || last == "\t" { result.removeLast() }
        return result
    }
}
