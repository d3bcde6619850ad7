import CHoldfastOpenSSL
import HoldfastDomain

/// An Ed25519 private key that signs: for issuing tickets and configurations, never needed at a gate.
///
/// Its files are PKCS#8 PEM (RFC 8410), as `openssl genpkey -algorithm ed25519` writes them. Safe to use from any
/// thread; nothing of the secret appears in its description.
public final class OpenSSLSigner: CustomStringConvertible, CustomReflectable {
    /// The key that verifies what this one signs.
    public let publicKey: PublicKey
    private let key: OpaquePointer

    /// A new random key.
    ///
    /// - Throws: `CryptoError` when OpenSSL failed.
    public convenience init() throws {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil) else { throw CryptoError.openSSL() }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &key) == 1, let key else {
            throw CryptoError.openSSL()
        }
        try self.init(owning: key)
    }

    /// The key with this seed, the 32 bytes of RFC 8032, section 5.1.5.
    ///
    /// - Throws: `CryptoError` for any other count.
    public convenience init(seed: [UInt8]) throws {
        guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
            throw CryptoError.openSSL()
        }
        try self.init(owning: key)
    }

    /// The key in a PEM text that is not protected by a pass phrase.
    ///
    /// - Throws: `CryptoError` for anything else, also for a key of another kind.
    public convenience init(pem: String) throws {
        let key = try PEM.read(pem) { PEM_read_bio_PrivateKey($0, nil, refuseToAsk, nil) }
        try self.init(owning: key)
    }

    private init(owning key: OpaquePointer) throws {
        do {
            publicKey = try PEM.publicKey(of: key)
            self.key = key
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
    }

    /// The 64-byte signature over `message`.
    ///
    /// - Throws: `CryptoError` when OpenSSL failed.
    public func sign(_ message: [UInt8]) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.openSSL() }
        defer { EVP_MD_CTX_free(context) }
        return try [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            count = 64
            guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
                EVP_DigestSign(context, buffer.baseAddress, &count, message, message.count) == 1, count == 64
            else {
                count = 0
                throw CryptoError.openSSL()
            }
        }
    }

    /// The secret as PEM text, without a pass phrase: keep it where only its owner can read it.
    ///
    /// - Throws: `CryptoError` when OpenSSL failed.
    public func pem() throws -> String {
        try PEM.write { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    /// Says that it is a signer, not whose.
    public var description: String { "OpenSSLSigner" }
    /// Shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    deinit { EVP_PKEY_free(key) }
}

// OpenSSL lets many threads use a key at once as long as none changes it (openssl-threads(7)); it never changes.
extension OpenSSLSigner: @unchecked Sendable {}
