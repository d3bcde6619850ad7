/// Reads the frames of a write-ahead log, including those after the point where SQLite stops. Pure.
///
/// SQLite takes the first frame that is not valid for the end of the log, and ignores every commit after it. One such frame
/// is normal: in the transaction that was being written when the power failed. But the commit of a later transaction
/// shows that the earlier one was complete, so the frame was damaged afterwards, and commits are cut off.
///
/// A frame's checksum continues that of the frame before it. So a frame after the damage is proven by the checksum stored
/// in the frame before it. The salts tell the frames of this log from older ones that it has not overwritten yet
/// (https://sqlite.org/fileformat2.html, section 4).
struct LogWalk {
    static let headerSize = 32
    static let frameHeaderSize = 24
    private static let pageSizes = (9...16).map { 1 << $0 }

    /// How many bytes a frame takes.
    let frameSize: Int
    private let isBigEndian: Bool
    /// This log's salts; nil while only the damaged header has told any.
    private var salts: UInt64?
    /// What the next frame's checksum may continue.
    private var seeds: [LogChecksum]
    /// Whether the last frame is proven; before the first one, the header.
    private var isProven: Bool
    /// Whether everything up to here is valid: SQLite reads no further.
    private var isWhole: Bool
    /// How many ends of transactions have been seen after that.
    private var commits: Int
    /// Whether there are commits after damage, which SQLite would ignore without an error.
    private(set) var isCutOff = false

    /// A walk through the log that begins with these bytes.
    ///
    /// - Parameters:
    ///   - header: The first `headerSize` bytes, or all if there are fewer; then there are no frames.
    ///   - pageSize: That of the database, for when the header does not tell.
    init(header: [UInt8], pageSize: Int) {
        let header = header + [UInt8](repeating: 0, count: max(0, Self.headerSize - header.count))
        let magic = UInt32(bigEndian: header[0..<4])
        let size = Int(UInt32(bigEndian: header[8..<12]))
        let stored = LogChecksum(header[24..<32])
        let ofBigEndian = magic & 1 == 1
        let computed = header.withUnsafeBytes {
            LogChecksum().adding(UnsafeRawBufferPointer(rebasing: $0[0..<24]), isBigEndian: ofBigEndian)
        }
        isWhole = magic & ~1 == 0x377f_0682 && Self.pageSizes.contains(size) && stored == computed
        isProven = isWhole
        isBigEndian = isWhole ? ofBigEndian : UInt16(bigEndian: 1) == 1
        frameSize = Self.frameHeaderSize + (isWhole ? size : pageSize)
        salts = isWhole ? UInt64(bigEndian: header[16..<24]) : nil
        seeds = isWhole ? [stored] : [stored, computed]
        // The header was on the disk before any transaction, so one commit is enough to show damage.
        commits = isWhole ? 0 : 1
    }

    /// Takes the next frame.
    ///
    /// - Returns: Whether it is proven to be of this log, and as it was written.
    mutating func take(_ frame: [UInt8]) -> Bool {
        let salts = UInt64(bigEndian: frame[8..<16])
        let stored = LogChecksum(frame[16..<24])
        let isOurs = self.salts.map { $0 == salts }
        guard isProven || isOurs ?? true else {
            seeds = [stored]
            isWhole = false
            return false
        }
        let sums = frame.withUnsafeBytes { bytes in
            let head = UnsafeRawBufferPointer(rebasing: bytes[0..<8])
            let page = UnsafeRawBufferPointer(rebasing: bytes[Self.frameHeaderSize...])
            return seeds.map { $0.adding(head, isBigEndian: isBigEndian).adding(page, isBigEndian: isBigEndian) }
        }
        let isSound = sums.contains(stored) && frame[0..<4].contains { $0 != 0 }
        isWhole = isWhole && isSound && isOurs == true
        if isSound { self.salts = self.salts ?? salts }
        if !isWhole, isSound || isOurs == true, frame[4..<8].contains(where: { $0 != 0 }) {
            commits += 1
            isCutOff = isCutOff || isSound && commits > 1
        }
        // If only the stored checksum is damaged, the next frame continues the right one.
        seeds = isSound || !isProven ? [stored] : [stored] + sums
        isProven = isSound
        return isSound
    }
}
