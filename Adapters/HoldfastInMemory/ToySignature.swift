import HoldfastDomain

/// Checks toy signatures: for tests of rules and formats that must run without a crypto library.
///
/// Anybody who has the public key can make one, so it proves nothing.
public struct ToyVerifier: SignatureVerifier {
    /// A verifier.
    public init() {}

    /// Whether `signature` is what `ToySigner` makes of `message` for `key`.
    public func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) -> Bool {
        signature == ToySigner.signature(over: message, by: key)
    }
}

/// Makes the signatures that `ToyVerifier` takes.
public struct ToySigner: Sendable {
    /// The key that verifies them.
    public let publicKey: PublicKey

    /// A signer for this key.
    public init(publicKey: PublicKey) { self.publicKey = publicKey }

    /// A signer with a key of its own, the same for the same seed.
    public init(seed: UInt64) {
        self.init(drawingFrom: SeededRandom(seed: seed))
    }

    private init(drawingFrom source: SeededRandom) {
        while true {
            // One draw is enough but for about forty of 2^256.
            if let key = PublicKey(bytes: source.bytes(PublicKey.byteCount)) {
                publicKey = key
                return
            }
        }
    }

    /// The 64-byte signature over `message`.
    public func sign(_ message: [UInt8]) -> [UInt8] { Self.signature(over: message, by: publicKey) }

    fileprivate static func signature(over message: [UInt8], by key: PublicKey) -> [UInt8] {
        var hash = ToyHash()
        hash.take(key.bytes)
        hash.take(message)
        return hash.bytes(64)
    }
}
