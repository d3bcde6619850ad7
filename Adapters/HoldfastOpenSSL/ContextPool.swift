import CHoldfastOpenSSL
import HoldfastDomain

/// An AES-256-GCM context with its key and its next nonces. Used by one thread at a time.
///
/// Spreading a key out into its schedule costs a good part of a short seal, so a context keeps it; it lies in the same
/// memory as the key ring's keys do. Freeing wipes it.
final class CipherContext {
    let pointer: OpaquePointer
    let nonces = NonceReserve()
    private(set) var key: SymmetricKey?

    fileprivate init() throws {
        guard let pointer = EVP_CIPHER_CTX_new() else { throw CryptoError.openSSL() }
        self.pointer = pointer
    }

    fileprivate func take(_ key: SymmetricKey, _ cipher: OpaquePointer) throws {
        if self.key != key {
            self.key = nil
            // GCM uses a key in one way for both directions (NIST SP 800-38D, section 7).
            guard EVP_EncryptInit_ex2(pointer, cipher, key.bytes, nil, nil) == 1 else { throw CryptoError.openSSL() }
        }
        // The caller's copy, also of the same key: comparing an array with itself takes no look at its bytes.
        self.key = key
    }

    deinit { EVP_CIPHER_CTX_free(pointer) }
}

/// Contexts, each lent to one caller at a time, and lent again to callers with the same key.
// A context is used by one borrower at a time: it is out of the list, which is locked, while it is lent. The cipher is
// fetched once and never changes.
final class ContextPool: @unchecked Sendable {
    /// How many idle contexts are kept; as many callers at once never make a new one.
    private static let limit = 8

    private let cipher: OpaquePointer
    private let idle = Locked<[CipherContext]>([])

    init() throws {
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else { throw CryptoError.openSSL() }
        self.cipher = cipher
    }

    /// Lends a context that has its key and wants but a nonce.
    func borrow<Result>(for key: SymmetricKey, _ body: (CipherContext) throws -> Result) throws -> Result {
        let found = idle.withLock { idle -> CipherContext? in
            guard let index = idle.lastIndex(where: { $0.key == key }) else {
                return idle.count < Self.limit ? nil : idle.removeFirst()
            }
            return idle.remove(at: index)
        }
        let context = try found ?? CipherContext()
        try context.take(key, cipher)
        defer {
            idle.withLock { idle in
                if idle.count < Self.limit { idle.append(context) }
            }
        }
        return try body(context)
    }

    deinit { EVP_CIPHER_free(cipher) }
}
