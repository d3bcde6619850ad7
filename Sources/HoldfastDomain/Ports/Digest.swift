/// Hashes bytes: SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104).
///
/// It keeps a crypto library out of the domain.
///
/// Use `OpenSSLDigest` on Linux, `CryptoKitDigest` on Apple platforms, `SoftwareDigest` in tests, which is right but
/// slow. Write one over any library; it is called from any thread, many at once. In a test that only needs different
/// things to have different hashes:
///
/// ```swift
/// struct FoldingDigest: Digest {
///     func sha256(_ bytes: [UInt8]) -> [UInt8] {
///         var hash = [UInt8](repeating: UInt8(truncatingIfNeeded: bytes.count), count: 32)
///         for (index, byte) in bytes.enumerated() { hash[index % 32] = hash[index % 32] &* 31 &+ byte }
///         return hash
///     }
///
///     func hmacSHA256(_ bytes: [UInt8], key: SymmetricKey) -> [UInt8] { sha256(key.bytes + bytes) }
/// }
/// ```
///
/// A digest promises, and `Conformance.digest` checks:
/// - `hashes_as_the_standard_says`: NIST's examples, a million bytes included.
/// - `authenticates_as_the_standard_says`: the examples of RFC 4231.
public protocol Digest: Sendable {
    /// The 32-byte SHA-256 of `bytes`.
    ///
    /// - Throws: `CryptoError` when the library failed.
    func sha256(_ bytes: [UInt8]) throws -> [UInt8]
    /// The 32-byte HMAC-SHA-256 of `bytes` under `key`.
    ///
    /// - Throws: `CryptoError` when the library failed.
    func hmacSHA256(_ bytes: [UInt8], key: SymmetricKey) throws -> [UInt8]
}
