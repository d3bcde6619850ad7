import CHoldfastOpenSSL
import HoldfastDomain

extension CryptoError {
    /// OpenSSL failed: takes the newest error off this thread's queue and empties it, so that none is told twice.
    static func openSSL() -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return CryptoError(.libraryFailure, platformCode: Int(truncatingIfNeeded: code))
    }
}
