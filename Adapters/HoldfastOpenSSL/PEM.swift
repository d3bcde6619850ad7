import CHoldfastOpenSSL
import HoldfastDomain

extension PublicKey {
    /// The Ed25519 public key in a PEM text (RFC 8410), as `openssl pkey -pubout` writes it.
    ///
    /// - Throws: `CryptoError` for anything else, also for a key of another kind or one that is not safe to use.
    public init(pem: String) throws {
        let key = try PEM.read(pem) { PEM_read_bio_PUBKEY($0, nil, refuseToAsk, nil) }
        defer { EVP_PKEY_free(key) }
        self = try PEM.publicKey(of: key)
    }
}

/// Keys as text (RFC 7468).
enum PEM {
    /// Reads with one of OpenSSL's readers; the caller owns the key.
    static func read(_ text: String, with reader: (OpaquePointer) -> OpaquePointer?) throws -> OpaquePointer {
        var text = text
        return try text.withUTF8 { text in
            guard let length = Int32(exactly: text.count), let memory = BIO_new_mem_buf(text.baseAddress, length)
            else { throw CryptoError.openSSL() }
            defer { BIO_free_all(memory) }
            guard let key = reader(memory) else { throw CryptoError.openSSL() }
            return key
        }
    }

    /// What one of OpenSSL's writers wrote. The memory it is gathered in is wiped.
    static func write(with writer: (OpaquePointer) -> Int32) throws -> String {
        guard let memory = BIO_new(BIO_s_secmem()) else { throw CryptoError.openSSL() }
        defer { BIO_free_all(memory) }
        guard writer(memory) == 1 else { throw CryptoError.openSSL() }
        // An Ed25519 key is some 120 bytes of PEM.
        let text = String(unsafeUninitializedCapacity: 1024) { buffer in
            max(0, Int(BIO_read(memory, buffer.baseAddress, Int32(buffer.count))))
        }
        guard !text.isEmpty else { throw CryptoError.openSSL() }
        return text
    }

    /// The public half of an Ed25519 key; fails for any other kind.
    static func publicKey(of key: OpaquePointer) throws -> PublicKey {
        guard EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 else { throw CryptoError(.libraryFailure) }
        var bytes = [UInt8](repeating: 0, count: PublicKey.byteCount)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else { throw CryptoError.openSSL() }
        guard count == bytes.count, let key = PublicKey(bytes: bytes) else { throw CryptoError(.libraryFailure) }
        return key
    }
}

/// Answers OpenSSL's question for a pass phrase with "none", where it would otherwise ask at the terminal.
func refuseToAsk(
    _: UnsafeMutablePointer<CChar>?,
    _: Int32,
    _: Int32,
    _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
