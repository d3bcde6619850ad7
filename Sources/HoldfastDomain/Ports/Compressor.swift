/// Compresses a body in the gzip format (RFC 1952).
///
/// It keeps a compression library out of the domain.
///
/// Use `ZlibCompressor`, or `StoredCompressor` in tests. Write one over any library that makes gzip (not bare deflate,
/// and not zlib's format); it is called from any thread, many at once. In a test that reads the body itself:
///
/// ```swift
/// struct NoCompression: Compressor {
///     func gzip(_ bytes: [UInt8]) -> [UInt8] { bytes }
/// }
/// ```
///
/// A compressor promises, and `Conformance.compressor` checks with a reader that is known to be good:
/// - `comes_back_whole`: whatever the bytes, none included.
/// - `is_one_gzip_member`: header, data, checksum and length, and nothing else.
/// - `hardly_ever_grows`: bytes that do not shrink become no longer than a thousandth and 64 bytes more.
/// - `says_the_same_each_time`: no time stamp, no leftovers: a batch that is sent again is the same.
/// - `packs_many_at_once`: calls do not disturb one another.
public protocol Compressor: Sendable {
    /// `bytes` as one gzip member.
    ///
    /// - Throws: `CompressionError` when the library failed.
    func gzip(_ bytes: [UInt8]) throws -> [UInt8]
}

/// A compression library failed.
public struct CompressionError: Error, Hashable, Sendable {
    /// The library's own number.
    public var platformCode: Int

    /// A failure with the library's own number.
    public init(platformCode: Int) { self.platformCode = platformCode }
}
