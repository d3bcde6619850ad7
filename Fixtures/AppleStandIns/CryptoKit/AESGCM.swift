import Foundation

/// A stand-in for CryptoKit's AES.
@available(iOS 13.0, macOS 10.15, *)
public enum AES {
    /// AES in Galois/Counter mode.
    public enum GCM {
        /// Seals with a fresh random nonce unless one is given.
        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext,
            using key: SymmetricKey,
            nonce: Nonce? = nil,
            authenticating data: AuthenticatedData
        ) throws -> SealedBox {
            let nonce = nonce ?? Nonce()
            guard [128, 192, 256].contains(key.bitCount) else { throw CryptoKitError.incorrectKeySize }
            guard
                let sealed = OpenSSL.aesGCM(
                    seal: true,
                    Array(message),
                    key: key.bytes,
                    nonce: nonce.bytes,
                    tag: [UInt8](repeating: 0, count: 16),
                    authenticating: Array(data)
                )
            else { throw CryptoKitError.underlyingCoreCryptoError(error: -1) }
            return SealedBox(nonce: nonce, bytes: sealed.output, tagBytes: sealed.tag)
        }

        /// Opens a box; a wrong tag, key or authenticated data is `authenticationFailure`.
        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: SealedBox,
            using key: SymmetricKey,
            authenticating data: AuthenticatedData
        ) throws -> Data {
            guard [128, 192, 256].contains(key.bitCount) else { throw CryptoKitError.incorrectKeySize }
            guard
                let opened = OpenSSL.aesGCM(
                    seal: false,
                    sealedBox.bytes,
                    key: key.bytes,
                    nonce: sealedBox.nonce.bytes,
                    tag: sealedBox.tagBytes,
                    authenticating: Array(data)
                )
            else { throw CryptoKitError.authenticationFailure }
            return Data(opened.output)
        }

        /// A nonce, of 12 bytes unless made from others.
        public struct Nonce: Sendable {
            let bytes: [UInt8]

            /// A fresh random nonce of 12 bytes.
            public init() {
                var generator = SystemRandomNumberGenerator()
                bytes = (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            }

            /// The nonce with these bytes; throws for fewer than 12.
            public init<D: DataProtocol>(data: D) throws {
                bytes = Array(data)
                guard bytes.count >= 12 else { throw CryptoKitError.incorrectParameterSize }
            }
        }

        /// What sealing gives.
        public struct SealedBox: Sendable {
            /// The nonce it was sealed with.
            public let nonce: Nonce
            let bytes: [UInt8]
            let tagBytes: [UInt8]

            init(nonce: Nonce, bytes: [UInt8], tagBytes: [UInt8]) {
                self.nonce = nonce
                self.bytes = bytes
                self.tagBytes = tagBytes
            }

            /// Reads `nonce (12) ‖ ciphertext ‖ tag (16)`; throws for fewer than 28 bytes.
            public init<D: DataProtocol>(combined: D) throws {
                let all = Array(combined)
                guard all.count >= 28 else { throw CryptoKitError.incorrectParameterSize }
                self.init(
                    nonce: try Nonce(data: all[..<12]),
                    bytes: Array(all[12..<(all.count - 16)]),
                    tagBytes: Array(all.suffix(16))
                )
            }

            /// The ciphertext.
            public var ciphertext: Data { Data(bytes) }
            /// The 16 bytes of the tag.
            public var tag: Data { Data(tagBytes) }
            /// `nonce ‖ ciphertext ‖ tag`; nil unless the nonce has 12 bytes.
            public var combined: Data? {
                nonce.bytes.count == 12 ? Data(nonce.bytes + bytes + tagBytes) : nil
            }
        }
    }
}
