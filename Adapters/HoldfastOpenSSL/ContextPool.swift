import CHoldfastOpenSSL
import HoldfastDomain

/// AES-256-GCM and contexts for it, each lent to one caller at a time.
///
/// A context that comes back still holds its caller's key schedule, as the key ring in the same memory holds the key;
/// the next `Init` replaces it, and freeing wipes it. The cipher is fetched once and never changes.
// A context is used by one borrower at a time: it is out of the list, which is locked, while it is lent.
final class ContextPool: @unchecked Sendable {
    /// How many idle contexts are kept; as many callers at once never make a new one.
    private static let limit = 8

    private let cipher: OpaquePointer
    private let idle = Locked<[OpaquePointer]>([])

    init() throws {
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else { throw CryptoError.openSSL() }
        self.cipher = cipher
    }

    func borrow<Result>(_ body: (_ context: OpaquePointer, _ cipher: OpaquePointer) throws -> Result) throws -> Result {
        guard let context = idle.withLock({ $0.popLast() }) ?? EVP_CIPHER_CTX_new() else {
            throw CryptoError.openSSL()
        }
        defer { giveBack(context) }
        return try body(context, cipher)
    }

    private func giveBack(_ context: OpaquePointer) {
        let isKept = idle.withLock { idle -> Bool in
            guard idle.count < Self.limit else { return false }
            idle.append(context)
            return true
        }
        if !isKept { EVP_CIPHER_CTX_free(context) }
    }

    deinit {
        idle.withLock { $0 }.forEach { EVP_CIPHER_CTX_free($0) }
        EVP_CIPHER_free(cipher)
    }
}
