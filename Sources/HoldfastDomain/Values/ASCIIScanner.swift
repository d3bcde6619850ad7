/// Takes fixed pieces from the front of a text, byte by byte; what is no such piece is left and answered with nil.
struct ASCIIScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Runs `body` over the UTF-8 bytes of `text`.
    static func scan<Result>(_ text: String, _ body: (inout ASCIIScanner) -> Result) -> Result {
        var text = text
        return text.withUTF8 {
            var scanner = ASCIIScanner($0)
            return body(&scanner)
        }
    }

    /// Whether everything has been taken.
    var isAtEnd: Bool { index == bytes.count }

    /// Takes `word` if it comes next.
    @inline(__always)
    mutating func take(_ word: StaticString) -> Bool {
        guard bytes.count - index >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    /// Takes one digit `0`…`9` if it comes next.
    mutating func digit() -> Int? {
        guard index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 else { return nil }
        index += 1
        return Int(digit)
    }

    /// Takes exactly `count` digits as one number.
    mutating func number(digits count: Int) -> Int? {
        guard bytes.count - index >= count else { return nil }
        var number = 0
        for place in index..<(index + count) {
            guard case let digit = bytes[place] &- UInt8(ascii: "0"), digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        index += count
        return number
    }

    /// Takes one of `words`, and returns its index.
    mutating func index(of words: [StaticString]) -> Int? {
        for (number, word) in words.enumerated() where take(word) { return number }
        return nil
    }
}
