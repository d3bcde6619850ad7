/// Hashes bytes: SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104).
public protocol Digest: Sendable {
    /// The 32-byte SHA-256 of `bytes`.
    func sha256(_ bytes: [UInt8]) throws -> [UInt8]
    /// The 32-byte HMAC-SHA-256 of `bytes` under `key`.
    func hmacSHA256(_ bytes: [UInt8], key: SymmetricKey) throws -> [UInt8]
}
