import HoldfastDomain

/// A cipher that behaves like AES-GCM and protects nothing: for tests that must run without a crypto library.
///
/// What it sealed opens only under the same key and associated data, has a fresh nonce and 28 more bytes, and does
/// not show its plaintext; but anybody can break it, and no other adapter can open it.
public struct ToyCipher: PayloadCipher {
    private let random: any RandomSource

    /// A cipher that draws its nonces from `random`.
    public init(random: any RandomSource = SeededRandom(seed: 0x6e6f_6e63_6573)) { self.random = random }

    /// Seals `plaintext`.
    public func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) -> [UInt8] {
        let nonce = random.bytes(12)
        let body = Self.mask(plaintext[...], key: key, nonce: nonce[...])
        return nonce + body + Self.tag(nonce[...], body[...], key: key, binding: associatedData)
    }

    /// Opens what `seal` made.
    public func open(
        _ sealed: [UInt8],
        with key: SymmetricKey,
        binding associatedData: [UInt8]
    ) throws -> [UInt8] {
        guard sealed.count >= 28 else { throw CryptoError(.notAuthentic) }
        let nonce = sealed.prefix(12)
        let body = sealed.dropFirst(12).dropLast(16)
        guard sealed.suffix(16).elementsEqual(Self.tag(nonce, body, key: key, binding: associatedData)) else {
            throw CryptoError(.notAuthentic)
        }
        return Self.mask(body, key: key, nonce: nonce)
    }

    private static func mask(_ bytes: ArraySlice<UInt8>, key: SymmetricKey, nonce: ArraySlice<UInt8>) -> [UInt8] {
        var hash = ToyHash()
        hash.take(key.bytes)
        hash.take(nonce)
        return zip(bytes, hash.bytes(bytes.count)).map { $0 ^ $1 }
    }

    private static func tag(
        _ nonce: ArraySlice<UInt8>,
        _ body: ArraySlice<UInt8>,
        key: SymmetricKey,
        binding associatedData: [UInt8]
    ) -> [UInt8] {
        var hash = ToyHash()
        hash.take(key.bytes)
        hash.take(associatedData)
        hash.take(nonce)
        hash.take(body)
        return hash.bytes(16)
    }
}
