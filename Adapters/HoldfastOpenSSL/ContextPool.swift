import CHoldfastOpenSSL
import HoldfastDomain

/// AES-256-GCM contexts, each lent to one caller at a time, and lent again to callers with the same key.
///
/// Spreading a key out into its schedule costs a good part of a short seal, so a context keeps it; it lies in the same
/// memory as the key ring's keys do. Freeing wipes it. The cipher is fetched once and never changes.
// A context is used by one borrower at a time: it is out of the list, which is locked, while it is lent.
final class ContextPool: @unchecked Sendable {
    private struct Context {
        let pointer: OpaquePointer
        var key: SymmetricKey
        let nonces: NonceReserve
    }

    /// How many idle contexts are kept; as many callers at once never make a new one.
    private static let limit = 8

    private let cipher: OpaquePointer
    private let idle = Locked<[Context]>([])

    init() throws {
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else { throw CryptoError.openSSL() }
        self.cipher = cipher
    }

    /// Lends a context that has its key and wants but a nonce, of which there are some.
    func borrow<Result>(
        for key: SymmetricKey,
        _ body: (OpaquePointer, NonceReserve) throws -> Result
    ) throws -> Result {
        let found = idle.withLock { idle -> Context? in
            guard let index = idle.lastIndex(where: { $0.key == key }) else {
                return idle.count < Self.limit ? nil : idle.removeFirst()
            }
            return idle.remove(at: index)
        }
        let context = try prepare(found, for: key)
        defer { giveBack(context) }
        return try body(context.pointer, context.nonces)
    }

    private func prepare(_ found: Context?, for key: SymmetricKey) throws -> Context {
        if let found, found.key == key { return found }
        guard let pointer = found?.pointer ?? EVP_CIPHER_CTX_new() else { throw CryptoError.openSSL() }
        // GCM uses a key in one way for both directions (NIST SP 800-38D, section 7).
        guard EVP_EncryptInit_ex2(pointer, cipher, key.bytes, nil, nil) == 1 else {
            EVP_CIPHER_CTX_free(pointer)
            throw CryptoError.openSSL()
        }
        return Context(pointer: pointer, key: key, nonces: found?.nonces ?? NonceReserve())
    }

    private func giveBack(_ context: Context) {
        let isKept = idle.withLock { idle -> Bool in
            guard idle.count < Self.limit else { return false }
            idle.append(context)
            return true
        }
        if !isKept { EVP_CIPHER_CTX_free(context.pointer) }
    }

    deinit {
        idle.withLock { $0 }.forEach { EVP_CIPHER_CTX_free($0.pointer) }
        EVP_CIPHER_free(cipher)
    }
}
