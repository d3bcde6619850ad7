/// Seals and opens bytes with AES-256-GCM (NIST SP 800-38D) under a fresh random 96-bit nonce.
///
/// Sealed bytes are `nonce (12) ‖ ciphertext ‖ tag (16)`, so they are 28 bytes longer than what they hold, and every
/// adapter opens what another sealed.
public protocol PayloadCipher: Sendable {
    /// Seals `plaintext`, binding it to `associatedData`, which is authenticated but not stored.
    ///
    /// - Throws: `CryptoError` when the library failed.
    func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8]

    /// Opens what `seal` made with the same key and associated data.
    ///
    /// - Throws: `CryptoError` with `.notAuthentic` for anything else, of any length.
    func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8]
}
