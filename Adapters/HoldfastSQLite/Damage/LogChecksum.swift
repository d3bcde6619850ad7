/// The checksum of a write-ahead log, which each frame continues (https://sqlite.org/fileformat2.html, section 4.2).
struct LogChecksum: Hashable {
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init() {}

    /// As it is stored, in eight bytes.
    init(_ bytes: ArraySlice<UInt8>) {
        first = UInt32(bigEndian: bytes.prefix(4))
        second = UInt32(bigEndian: bytes.suffix(4))
    }

    /// The checksum continued over these bytes; their number must be a multiple of eight.
    func adding(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> LogChecksum {
        var sum = self
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
            let words = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // Independent of this machine's byte order.
            let (low, high) = (UInt32(truncatingIfNeeded: words.littleEndian), UInt32(words.littleEndian >> 32))
            sum.first &+= (isBigEndian ? low.byteSwapped : low) &+ sum.second
            sum.second &+= (isBigEndian ? high.byteSwapped : high) &+ sum.first
        }
        return sum
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: first)
        bytes.append(bigEndian: second)
        return bytes
    }
}
