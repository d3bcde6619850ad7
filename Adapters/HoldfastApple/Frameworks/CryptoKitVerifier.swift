#if canImport(CryptoKit)
import CryptoKit
import HoldfastDomain

/// Checks Ed25519 signatures with CryptoKit. A value without state, safe from any thread.
public struct CryptoKitVerifier: SignatureVerifier {
    /// A verifier.
    public init() {}

    /// Whether `signature` is `key`'s signature over `message`.
    public func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) throws -> Bool {
        do {
            let parsed = try Curve25519.Signing.PublicKey(rawRepresentation: key.bytes)
            return parsed.isValidSignature(signature, for: message)
        } catch {
            // The key has its 32 bytes, so this is a failure of the library.
            throw CryptoError(.libraryFailure)
        }
    }
}
#endif
