/// Compresses a body in the gzip format (RFC 1952).
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
