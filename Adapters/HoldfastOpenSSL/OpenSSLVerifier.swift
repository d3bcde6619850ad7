import CHoldfastOpenSSL
import HoldfastDomain

/// Checks Ed25519 signatures with OpenSSL 3. Safe to use from any thread, many at once.
///
/// Keys are parsed once and kept, up to `keyLimit` of them: parsing costs about a twentieth of a check.
public struct OpenSSLVerifier: SignatureVerifier {
    /// How many parsed keys are kept.
    static let keyLimit = 64

    private let keys = Locked<[PublicKey: VerificationKey]>([:])

    /// A verifier, warmed up: the first check of a process costs OpenSSL a millisecond, which no visitor should wait.
    ///
    /// - Throws: `CryptoError` if this OpenSSL cannot check a signature that is known to be good.
    public init() throws {
        // RFC 8032, section 7.1, test 1: the signature over no bytes at all.
        let key = Hex.decode("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        let signature = Hex.decode(
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595b"
                + "be24655141438e7a100b"
        )
        guard let key = PublicKey(bytes: key ?? []), try VerificationKey(key).isValid(signature ?? [], over: [])
        else { throw CryptoError(.libraryFailure) }
    }

    /// Whether `signature` is `key`'s signature over `message`.
    public func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) throws -> Bool {
        guard signature.count == 64 else { return false }
        return try parsed(key).isValid(signature, over: message)
    }

    private func parsed(_ key: PublicKey) throws -> VerificationKey {
        if let known = keys.withLock({ $0[key] }) { return known }
        let fresh = try VerificationKey(key)
        keys.withLock { keys in
            if keys.count >= Self.keyLimit, let any = keys.keys.first { keys[any] = nil }
            keys[key] = fresh
        }
        return fresh
    }
}

/// One parsed key, in a context that is set to it and only ever copied: setting one up costs sixteen times a copy.
// It never changes, and OpenSSL lets many threads read what none changes (openssl-threads(7)): the source of a copy, and
// the key, which every copy shares.
private final class VerificationKey: @unchecked Sendable {
    private let context: OpaquePointer

    init(_ publicKey: PublicKey) throws {
        let bytes = publicKey.bytes
        guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) else {
            throw CryptoError.openSSL()
        }
        // The context keeps it.
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.openSSL() }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else {
            EVP_MD_CTX_free(context)
            throw CryptoError.openSSL()
        }
        self.context = context
    }

    func isValid(_ signature: [UInt8], over message: [UInt8]) throws -> Bool {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.openSSL() }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_MD_CTX_copy_ex(context, self.context) == 1 else { throw CryptoError.openSSL() }
        switch EVP_DigestVerify(context, signature, signature.count, message, message.count) {
        case 1: return true
        case 0:
            // A bad signature may leave an error on this thread's queue; nobody else should find it there.
            ERR_clear_error()
            return false
        default: throw CryptoError.openSSL()
        }
    }

    deinit { EVP_MD_CTX_free(context) }
}
