import CHoldfastOpenSSL
import Foundation

// CryptoKit's stand-in computes for real. Only this file talks to OpenSSL.
enum OpenSSL {
    static func isValidEd25519(_ signature: [UInt8], over message: [UInt8], key: [UInt8]) -> Bool {
        guard let parsed = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count) else { return false }
        defer { EVP_PKEY_free(parsed) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        defer { ERR_clear_error() }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, parsed) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        let done = EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil)
        precondition(done == 1 && count == 32, "SHA-256 cannot fail")
        return digest
    }

    /// AES-GCM with a tag of 16 bytes: the output and, when sealing, the tag. Nil if the tag does not match.
    static func aesGCM(
        seal: Bool,
        _ input: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        tag: [UInt8],
        authenticating data: [UInt8]
    ) -> (output: [UInt8], tag: [UInt8])? {
        guard let algorithm = cipher(keyBytes: key.count), let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        defer { ERR_clear_error() }
        let direction: Int32 = seal ? 1 : 0
        var tag = tag
        var output = [UInt8](repeating: 0, count: input.count)
        var count: Int32 = 0
        guard EVP_CipherInit_ex(context, algorithm, nil, nil, nil, direction) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1,
            EVP_CipherInit_ex(context, nil, nil, key, nonce, direction) == 1,
            seal || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1,
            data.isEmpty || EVP_CipherUpdate(context, nil, &count, data, Int32(data.count)) == 1,
            input.isEmpty || EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1
        else { return nil }
        var rest = [UInt8](repeating: 0, count: 16)
        guard EVP_CipherFinal_ex(context, &rest, &count) == 1,
            !seal || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
        else { return nil }
        return (output, tag)
    }

    private static func cipher(keyBytes: Int) -> OpaquePointer? {
        switch keyBytes {
        case 16: return EVP_aes_128_gcm()
        case 24: return EVP_aes_192_gcm()
        case 32: return EVP_aes_256_gcm()
        default: return nil
        }
    }
}
