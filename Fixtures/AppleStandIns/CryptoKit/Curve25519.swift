import Foundation

/// A stand-in for CryptoKit's Ed25519.
@available(iOS 13.0, macOS 10.15, *)
public enum Curve25519 {
    /// Signatures.
    public enum Signing {
        /// A key that verifies.
        public struct PublicKey: Sendable {
            private let key: [UInt8]

            /// The key with these bytes; throws unless there are 32.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                key = rawRepresentation.withUnsafeBytes { Array($0) }
                guard key.count == 32 else { throw CryptoKitError.incorrectKeySize }
            }

            /// The 32 bytes.
            public var rawRepresentation: Data { Data(key) }

            /// Whether the signature is valid; false, and no error, for one of the wrong length.
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                OpenSSL.isValidEd25519(Array(signature), over: Array(data), key: key)
            }
        }
    }
}
