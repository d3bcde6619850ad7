/// Checks Ed25519 signatures (RFC 8032, section 5.1.7).
///
/// It keeps a crypto library out of the domain. Weak keys never get here: a `PublicKey` cannot be one.
///
/// Use `OpenSSLVerifier` on Linux, `CryptoKitVerifier` on Apple platforms, `ToyVerifier` with `ToySigner` in tests.
/// Write one over any library that checks one signature at a time (batch verification answers differently). It is
/// called from any thread, many at once, with somebody waiting at the gate. In a test:
///
/// ```swift
/// struct FixedVerdict: SignatureVerifier {
///     var isValid = true
///     func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) -> Bool { isValid }
/// }
/// ```
///
/// A verifier promises, and `Conformance.signatureVerifier` checks:
/// - `accepts_known_signatures`: those of RFC 8032, section 7.1.
/// - `refuses_every_change`: of signature, message or key.
/// - `wrong_length_is_false`: a signature that is none is not an error.
/// - `refuses_unreduced_scalars`: S must be below the group's order, or one ticket has many texts.
/// - `answers_many_at_once`: calls do not disturb one another.
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
