/// Checks Ed25519 signatures (RFC 8032, section 5.1.7).
public protocol SignatureVerifier: Sendable {
    /// Whether `signature` is `key`'s signature over `message`.
    ///
    /// Any signature of the wrong length is simply false. Safe to call from any thread, and many at once.
    ///
    /// - Throws: `CryptoError` only when the library itself failed; never for a bad signature.
    func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) throws -> Bool
}

/// A cryptographic library failed, or refused what it was given.
public struct CryptoError: Error, Hashable, Sendable {
    /// The kind of failure; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// What was to be opened is not what was sealed: damaged, moved, or under another key.
        public static let notAuthentic = Code("not_authentic")
        /// The library reported a failure of its own.
        public static let libraryFailure = Code("library_failure")
    }

    /// The kind of failure.
    public var code: Code
    /// The library's own number, if there is one.
    public var platformCode: Int?

    /// An error of this kind.
    public init(_ code: Code, platformCode: Int? = nil) {
        self.code = code
        self.platformCode = platformCode
    }
}
