#if os(Linux)
import HoldfastDomain
import HoldfastOpenSSL

/// An issuer's Ed25519 private key, by this platform's library: for command lines and servers that issue tickets.
public typealias SigningKey = OpenSSLSigner

extension PublicKey {
    /// The key that a text holds: base64url of its 32 bytes, or PEM as `openssl pkey -pubout` writes it.
    ///
    /// - Returns: nil for anything else, and for a key that is not safe to verify with.
    public init?(text: String) {
        if let bytes = Base64URL.decode(text) {
            self.init(bytes: bytes)
        } else if let key = try? PublicKey(pem: text) {  // whatever is wrong with it, it is no key
            self = key
        } else {
            return nil
        }
    }
}
#endif
