/// Seals and opens bytes with AES-256-GCM (NIST SP 800-38D) under a fresh random 96-bit nonce.
///
/// It keeps a crypto library out of the domain. Sealed bytes are `nonce (12) ‖ ciphertext ‖ tag (16)`, so they are 28
/// bytes longer than what they hold, and every adapter opens what another sealed.
///
/// Use `OpenSSLCipher` on Linux, `CryptoKitCipher` on Apple platforms, `ToyCipher` in tests. Write one over any library
/// with AES-256-GCM; draw each nonce from a random generator rather than a counter, which a restart or a second process
/// would repeat. It is called from any thread, many at once. In a test that looks into what was sealed:
///
/// ```swift
/// struct ClearCipher: PayloadCipher {
///     var random: any RandomSource
///
///     func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) -> [UInt8] {
///         let nonce = random.bytes(12)
///         return nonce + plaintext + tag(key.bytes + associatedData + nonce + plaintext)
///     }
///
///     func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8] {
///         guard sealed.count >= 28,
///             sealed.suffix(16).elementsEqual(tag(key.bytes + associatedData + sealed.dropLast(16)))
///         else { throw CryptoError(.notAuthentic) }
///         return Array(sealed.dropFirst(12).dropLast(16))
///     }
///
///     private func tag(_ bytes: [UInt8]) -> [UInt8] {
///         bytes.enumerated().reduce(into: [UInt8](repeating: UInt8(bytes.count & 255), count: 16)) { tag, next in
///             tag[next.offset % 16] = tag[next.offset % 16] &* 31 &+ next.element
///         }
///     }
/// }
/// ```
///
/// A cipher promises, and `Conformance.payloadCipher` and (the last) `Conformance.payloadCipherExchange` check:
/// - `opens_what_it_sealed`: of any length, none included.
/// - `adds_28_bytes`: neither more nor fewer.
/// - `shows_nothing_of_the_plaintext`: no part of it can be seen in what was sealed.
/// - `never_repeats_a_nonce`: not in a thousand seals, and not by design.
/// - `refuses_every_change`: of a byte, the key or the associated data, with `.notAuthentic`.
/// - `refuses_every_length`: also fewer bytes than nonce and tag have.
/// - `answers_many_at_once`: calls do not disturb one another.
/// - `opens_what_others_sealed`: the test cases of the GCM specification.
public protocol PayloadCipher: Sendable {
    /// Seals `plaintext`, binding it to `associatedData`, which is authenticated but not stored.
    ///
    /// - Throws: `CryptoError` when the library failed.
    func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8]

    /// Opens what `seal` made with the same key and associated data.
    ///
    /// - Throws: `CryptoError` with `.notAuthentic` for anything else, of any length.
    func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8]
}
