/// Cuts what comes in into lines, in bounded memory. Lines end with CR, LF or CRLF; any other byte is part of one.
///
/// A line is complete with its first end byte, so that an answer never waits for the next one. Empty lines are counted
/// and passed over: nothing was scanned, or logged.
struct LineSplitter {
    /// One line.
    struct Line: Hashable {
        /// Its number, from 1.
        var number: Int
        /// Its bytes without its end, cut to the splitter's limit.
        var bytes: [UInt8]
    }

    /// How many bytes of a line are kept; what goes beyond is dropped, so that the line stays too long for any use.
    let limit: Int
    private var bytes: [UInt8] = []
    private var number = 1
    private var endedWithCarriageReturn = false

    /// A splitter that keeps at most `limit` bytes of a line.
    init(limit: Int) { self.limit = limit }

    /// Takes what was read and gives the lines that are complete with it.
    mutating func take(_ input: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var rest = input[...]
        if endedWithCarriageReturn, rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
        if let last = input.last { endedWithCarriageReturn = last == UInt8(ascii: "\r") }
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            keep(rest[..<end])
            finish().map { lines.append($0) }
            number += 1
            let isReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[(end + 1)...]
            if isReturn, rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
        }
        keep(rest)
        return lines
    }

    private mutating func keep(_ more: ArraySlice<UInt8>) { bytes += more.prefix(limit - bytes.count) }

    /// The last line, if there is one without an end.
    mutating func finish() -> Line? {
        guard !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return Line(number: number, bytes: bytes)
    }
}
