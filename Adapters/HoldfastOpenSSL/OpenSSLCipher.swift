import CHoldfastOpenSSL
import HoldfastDomain

/// Seals and opens with OpenSSL's AES-256-GCM. Safe to use from any thread, many at once.
///
/// Contexts are kept and used again, since making one costs as much as sealing. Each nonce is 12 bytes of `RAND_bytes`:
/// random rather than counted, so that two processes and a restart cannot repeat one.
public struct OpenSSLCipher: PayloadCipher {
    static let nonceCount = NonceReserve.nonceCount
    static let tagCount = 16

    private let contexts: ContextPool

    /// A cipher.
    ///
    /// - Throws: `CryptoError` if this OpenSSL has no AES-256-GCM.
    public init() throws { contexts = try ContextPool() }

    /// Seals `plaintext`.
    public func seal(
        _ plaintext: [UInt8],
        with key: SymmetricKey,
        binding associatedData: [UInt8]
    ) throws -> [UInt8] {
        let overhead = Self.nonceCount + Self.tagCount
        // One call of OpenSSL takes at most Int32.max bytes.
        guard plaintext.count <= Int(Int32.max) - overhead, associatedData.count <= Int(Int32.max) else {
            throw CryptoError(.libraryFailure)
        }
        return try contexts.borrow(for: key) { lent in
            let context = lent.pointer
            return try [UInt8](unsafeUninitializedCapacity: plaintext.count + overhead) { buffer, count in
                guard let nonce = buffer.baseAddress else { throw CryptoError(.libraryFailure) }
                try lent.nonces.take(into: nonce)
                let body = nonce + Self.nonceCount
                let tag = body + plaintext.count
                var written: Int32 = 0
                guard EVP_EncryptInit_ex2(context, nil, nil, nonce, nil) == 1,
                    EVP_EncryptUpdate(context, nil, &written, associatedData, Int32(associatedData.count)) == 1,
                    EVP_EncryptUpdate(context, body, &written, plaintext, Int32(plaintext.count)) == 1,
                    EVP_EncryptFinal_ex(context, tag, &written) == 1,
                    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagCount), tag) == 1
                else { throw CryptoError.openSSL() }
                count = plaintext.count + overhead
            }
        }
    }

    /// Opens what `seal` made.
    public func open(
        _ sealed: [UInt8],
        with key: SymmetricKey,
        binding associatedData: [UInt8]
    ) throws -> [UInt8] {
        let overhead = Self.nonceCount + Self.tagCount
        guard sealed.count >= overhead, sealed.count <= Int(Int32.max), associatedData.count <= Int(Int32.max) else {
            throw CryptoError(.notAuthentic)
        }
        let length = sealed.count - overhead
        return try contexts.borrow(for: key) { lent in
            let context = lent.pointer
            return try sealed.withUnsafeBufferPointer { sealed in
                guard let nonce = sealed.baseAddress else { throw CryptoError(.notAuthentic) }
                let body = nonce + Self.nonceCount
                // OpenSSL only reads the tag, though its parameter is not const.
                let tag = UnsafeMutablePointer(mutating: body + length)
                // A copy, opened in its place: GCM may write where it reads.
                var plain = Array(UnsafeBufferPointer(start: body, count: length))
                try plain.withUnsafeMutableBufferPointer { plain in
                    var written: Int32 = 0
                    guard EVP_DecryptInit_ex2(context, nil, nil, nonce, nil) == 1,
                        EVP_DecryptUpdate(context, nil, &written, associatedData, Int32(associatedData.count)) == 1,
                        EVP_DecryptUpdate(context, plain.baseAddress, &written, plain.baseAddress, Int32(length)) == 1,
                        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount), tag) == 1
                    else { throw CryptoError.openSSL() }
                    // GCM writes nothing when it ends; it only compares the tags.
                    guard EVP_DecryptFinal_ex(context, plain.baseAddress, &written) == 1 else {
                        ERR_clear_error()
                        throw CryptoError(.notAuthentic)
                    }
                }
                return plain
            }
        }
    }
}
