#if canImport(CryptoKit)
import CryptoKit
import Foundation
import HoldfastDomain

/// Seals and opens with CryptoKit's AES-GCM. A value without state, safe from any thread.
public struct CryptoKitCipher: PayloadCipher {
    /// A cipher.
    public init() {}

    /// Seals `plaintext` as `nonce ‖ ciphertext ‖ tag`; CryptoKit draws the nonce.
    public func seal(
        _ plaintext: [UInt8],
        with key: HoldfastDomain.SymmetricKey,
        binding associatedData: [UInt8]
    ) throws -> [UInt8] {
        let sealed: Data?
        do {
            let key = CryptoKit.SymmetricKey(data: key.bytes)
            sealed = try AES.GCM.seal(plaintext, using: key, authenticating: associatedData).combined
        } catch {
            throw CryptoError(cryptoKit: error)
        }
        guard let sealed else { throw CryptoError(.libraryFailure) }
        return Array(sealed)
    }

    /// Opens what `seal`, here or in another adapter, has made.
    public func open(
        _ sealed: [UInt8],
        with key: HoldfastDomain.SymmetricKey,
        binding associatedData: [UInt8]
    ) throws -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            let key = CryptoKit.SymmetricKey(data: key.bytes)
            return Array(try AES.GCM.open(box, using: key, authenticating: associatedData))
        } catch {
            throw CryptoError(cryptoKit: error)
        }
    }
}

extension CryptoError {
    /// What CryptoKit's error says of the sealed bytes: only a box that is too short or does not authenticate blames
    /// them, for such an entry is set aside for good; anything else is the library's.
    init(cryptoKit error: any Error) {
        switch error as? CryptoKitError {
        case .authenticationFailure, .incorrectParameterSize: self.init(.notAuthentic)
        case .underlyingCoreCryptoError(let number): self.init(.libraryFailure, platformCode: Int(number))
        default: self.init(.libraryFailure)
        }
    }
}
#endif
