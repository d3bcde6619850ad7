/// Makes a new log from frames of another: the same pages and commits, with checksums that continue without a gap. Pure.
struct LogWriter {
    private static let salts = [UInt8](repeating: 0, count: 8)

    /// The first bytes of the log.
    let header: [UInt8]
    private var checksum: LogChecksum

    /// A log of frames of this size.
    init(frameSize: Int) {
        var header: [UInt8] = []
        // The last bit of the first number is 0: checksums are over little-endian words.
        for number: UInt32 in [0x377f_0682, 3_007_000, UInt32(clamping: frameSize - LogWalk.frameHeaderSize), 0] {
            header.append(bigEndian: number)
        }
        header += Self.salts
        checksum = header.withUnsafeBytes { LogChecksum().adding($0, isBigEndian: false) }
        self.header = header + checksum.bytes
    }

    /// The next frame, with the salts and the checksum of this log.
    mutating func frame(_ frame: [UInt8]) -> [UInt8] {
        let (head, page) = (frame[..<8], frame[LogWalk.frameHeaderSize...])
        for part in [head, page] {
            checksum = part.withUnsafeBytes { checksum.adding($0, isBigEndian: false) }
        }
        return head + Self.salts + checksum.bytes + page
    }
}
