/// Cuts what a scanner types into lines, in bounded memory. Lines end with CR, LF or CRLF; any other byte is part of one.
///
/// A line is complete with its first end byte, so that an answer never waits for the next scan. Empty lines are nothing
/// scanned and are passed over.
struct LineSplitter {
    /// How many bytes of a line are kept; what goes beyond is dropped, so that the line stays too long to be a ticket.
    let limit: Int
    private var line: [UInt8] = []

    /// A splitter that keeps at most `limit` bytes of a line.
    init(limit: Int) { self.limit = limit }

    /// Takes what was read and gives the lines that are complete with it.
    mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            append(rest[..<end])
            finish().map { lines.append($0) }
            rest = rest[(end + 1)...]
        }
        append(rest)
        return lines
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) { line += bytes.prefix(limit - line.count) }

    /// The last line, if there is one without an end.
    mutating func finish() -> [UInt8]? {
        guard !line.isEmpty else { return nil }
        defer { line = [] }
        return line
    }
}
