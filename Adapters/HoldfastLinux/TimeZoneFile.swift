/// A zone's offsets from UTC through all times, from a TZif file (RFC 8536).
struct TimeZoneFile: Sendable {
    /// From each of these moments on, in seconds since 1970, the offset of the same index holds.
    private let transitions: [Int64]
    private let offsets: [Int64]
    /// What holds before the first transition.
    private let first: Int64
    /// What holds after the last one.
    private let rule: TimeZoneRule?

    /// Reads the file; nil if it is none.
    init?(_ bytes: [UInt8]) {
        guard let header = Header(bytes[...]) else { return nil }
        if header.version == 0 {
            self.init(header, bytes.dropFirst(Header.size), timeSize: 4)
            return
        }
        // The first block, with 32-bit times, is for old readers; a second with 64-bit times follows, and a rule.
        let second = bytes.dropFirst(Header.size + header.bodySize(timeSize: 4))
        guard let header = Header(second) else { return nil }
        self.init(header, second.dropFirst(Header.size), timeSize: 8)
    }

    private init?(_ header: Header, _ body: ArraySlice<UInt8>, timeSize: Int) {
        guard header.types > 0, body.count >= header.bodySize(timeSize: timeSize) else { return nil }
        let times = body.prefix(header.times * timeSize)
        let indices = body.dropFirst(times.count).prefix(header.times)
        let types = body.dropFirst(times.count + indices.count).prefix(header.types * 6)
        guard indices.allSatisfy({ Int($0) < header.types }) else { return nil }

        let offset = { (index: Int) in types.number(at: index * 6, size: 4) }
        transitions = (0..<header.times).map { times.number(at: $0 * timeSize, size: timeSize) }
        offsets = indices.map { offset(Int($0)) }
        first = offset(0)
        let footer = body.dropFirst(header.bodySize(timeSize: timeSize)).dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        rule = timeSize == 8 ? TimeZoneRule(String(decoding: footer, as: UTF8.self)) : nil
        guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    }

    /// How many seconds the zone is ahead of UTC at a moment, in seconds since 1970.
    func offset(at moment: Int64) -> Int64 {
        guard let last = transitions.last, moment < last else {
            return rule?.offset(at: moment) ?? offsets.last ?? first
        }
        // The first transition after the moment; the one before it holds.
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }
}

/// What comes before each block (RFC 8536, section 3.1).
private struct Header {
    static let size = 44

    let version: UInt8
    let times: Int
    let types: Int
    private let marks: Int
    private let leaps: Int
    private let characters: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.size, bytes.starts(with: "TZif".utf8) else { return nil }
        let counts = (0..<6).map { Int(bytes.number(at: 20 + $0 * 4, size: 4)) }
        guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
        version = bytes[bytes.startIndex + 4]
        (marks, leaps, times, types, characters) = (counts[0] + counts[1], counts[2], counts[3], counts[4], counts[5])
    }

    func bodySize(timeSize: Int) -> Int {
        times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + marks
    }
}

extension ArraySlice<UInt8> {
    /// A big-endian number in two's complement.
    fileprivate func number(at offset: Int, size: Int) -> Int64 {
        let bits = dropFirst(offset).prefix(size).reduce(0) { $0 << 8 | UInt64($1) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
}
