/// A key configuration as it came: JSON, perhaps in the compact form `base64url(JSON) "." base64url(signature)`.
struct ConfigurationDocument: Equatable {
    /// A million revoked tickets take some 40 MB; ten times that is no configuration.
    static let longest = 400 << 20

    /// The JSON. Two documents of the same JSON are the same configuration, signed or not.
    let json: [UInt8]
    /// The signature over `json`; nil if it is not signed.
    let signature: [UInt8]?

    /// Takes a document apart; spaces and line ends around it are left out.
    ///
    /// - Throws: `ConfigurationError`: `tooLarge`, or `malformed`.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count <= Self.longest else { throw ConfigurationError(.tooLarge) }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { throw ConfigurationError(.malformed) }
        let text = bytes[first...last]
        if text.first == UInt8(ascii: "{") {
            json = Array(text)
            signature = nil
            return
        }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let json = Base64URL.decode(Array(parts[0])),
            let signature = Base64URL.decode(Array(parts[1]))
        else { throw ConfigurationError(.malformed) }
        self.json = json
        self.signature = signature
    }

    /// Checks that the document is signed by `key`.
    ///
    /// - Throws: `ConfigurationError`: `unsigned` or `badSignature`; `CryptoError` when the verifier itself failed.
    func checkSignature(by key: PublicKey, verifier: any SignatureVerifier) throws {
        guard let signature else { throw ConfigurationError(.unsigned) }
        guard try verifier.isValid(signature, over: json, by: key) else { throw ConfigurationError(.badSignature) }
    }
}
