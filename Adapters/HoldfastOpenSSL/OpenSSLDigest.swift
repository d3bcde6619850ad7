import CHoldfastOpenSSL
import HoldfastDomain

/// Hashes with OpenSSL's SHA-256 and HMAC. Safe to use from any thread, many at once.
public struct OpenSSLDigest: Digest {
    private let algorithms: Algorithms

    /// A digest.
    ///
    /// - Throws: `CryptoError` if this OpenSSL has no SHA-256 or no HMAC.
    public init() throws { algorithms = try Algorithms() }

    /// The SHA-256 of `bytes`.
    public func sha256(_ bytes: [UInt8]) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            var length: UInt32 = 0
            guard EVP_Digest(bytes, bytes.count, buffer.baseAddress, &length, algorithms.sha256, nil) == 1,
                length == 32
            else { throw CryptoError.openSSL() }
            count = 32
        }
    }

    /// The HMAC-SHA-256 of `bytes` under `key`.
    public func hmacSHA256(_ bytes: [UInt8], key: SymmetricKey) throws -> [UInt8] {
        guard let context = EVP_MAC_CTX_dup(algorithms.hmacSHA256) else { throw CryptoError.openSSL() }
        defer { EVP_MAC_CTX_free(context) }
        return try [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            var length = 0
            guard EVP_MAC_init(context, key.bytes, key.bytes.count, nil) == 1,
                EVP_MAC_update(context, bytes, bytes.count) == 1,
                EVP_MAC_final(context, buffer.baseAddress, &length, 32) == 1, length == 32
            else { throw CryptoError.openSSL() }
            count = 32
        }
    }
}

/// SHA-256, and an HMAC context set to it that is only ever copied: looking them up costs more than hashing.
// Neither changes after `init`; fetched algorithms may be used by many threads, and so may the source of a copy.
private final class Algorithms: @unchecked Sendable {
    let sha256: OpaquePointer
    let hmacSHA256: OpaquePointer

    init() throws {
        guard let sha256 = EVP_MD_fetch(nil, "SHA256", nil) else { throw CryptoError.openSSL() }
        guard let context = Self.hmacContext() else {
            EVP_MD_free(sha256)
            throw CryptoError.openSSL()
        }
        self.sha256 = sha256
        hmacSHA256 = context
    }

    private static func hmacContext() -> OpaquePointer? {
        guard let hmac = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
        defer { EVP_MAC_free(hmac) }
        guard let context = EVP_MAC_CTX_new(hmac) else { return nil }
        var name = Array("SHA256".utf8CString)
        // A parameter keeps the pointers to its key and to its value.
        let isSet = OSSL_MAC_PARAM_DIGEST.withCString { key in
            name.withUnsafeMutableBufferPointer { name in
                var parameters = [
                    OSSL_PARAM_construct_utf8_string(key, name.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_CTX_set_params(context, &parameters) == 1
            }
        }
        guard isSet else {
            EVP_MAC_CTX_free(context)
            return nil
        }
        return context
    }

    deinit {
        EVP_MD_free(sha256)
        EVP_MAC_CTX_free(hmacSHA256)
    }
}
