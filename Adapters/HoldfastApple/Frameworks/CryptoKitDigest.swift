#if canImport(CryptoKit)
import CryptoKit
import HoldfastDomain

/// Hashes with CryptoKit's SHA-256. A value without state, safe from any thread; it never throws.
public struct CryptoKitDigest: HoldfastDomain.Digest {
    /// A digest.
    public init() {}

    /// The 32-byte SHA-256 of `bytes`.
    public func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// The 32-byte HMAC-SHA-256 of `bytes` under `key`.
    public func hmacSHA256(_ bytes: [UInt8], key: HoldfastDomain.SymmetricKey) -> [UInt8] {
        let key = CryptoKit.SymmetricKey(data: key.bytes)
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }
}
#endif
