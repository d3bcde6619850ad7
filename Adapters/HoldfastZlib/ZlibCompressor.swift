import CHoldfastZlib
import HoldfastDomain

/// Compresses with zlib, on Linux and on Apple platforms. Safe to use from any thread, many at once.
///
/// The result has no time stamp and no file name, so the same bytes always give the same result.
public struct ZlibCompressor: Compressor {
    private let level: Int32

    /// A compressor.
    ///
    /// - Parameter level: 0 (none) to 9 (smallest); others are brought into that range. 6 is zlib's own default: for
    ///   telemetry 9 takes twice as long to save hardly anything.
    public init(level: Int = 6) { self.level = Int32(min(max(level, 0), 9)) }

    /// `bytes` as one gzip member.
    public func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        // 15 is the largest window, and 16 more asks for gzip; 8 is the default share of memory, 256 KiB in all.
        let stream = try ZlibStream(end: deflateEnd) {
            deflateInit2_($0, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, ZlibStream.size)
        }
        let bound = Int(deflateBound(stream.pointer, UInt(bytes.count)))
        return try stream.run(over: bytes, capacity: bound, step: deflate)
    }
}

/// Reads gzip, such as what a `Compressor` made. Nothing of the package needs it but tests and tools.
public enum GzipReader {
    /// What is packed in one gzip member.
    ///
    /// - Parameters:
    ///   - member: The whole member, and nothing after it.
    ///   - limit: The most bytes to unpack: a few kilobytes of gzip may hold gigabytes.
    /// - Throws: `CompressionError` if it is damaged, cut, followed by something, or holds more than `limit`.
    public static func gunzip(_ member: [UInt8], limit: Int) throws -> [UInt8] {
        let stream = try ZlibStream(end: inflateEnd) {
            inflateInit2_($0, 15 + 16, ZLIB_VERSION, ZlibStream.size)
        }
        return try stream.run(over: member, capacity: max(limit, 0), step: inflate)
    }
}
