/// Turns names, such as a ticket's id, into subjects that reveal nothing: HMAC-SHA-256 (RFC 2104) under a secret that
/// never leaves the device's vault.
///
/// The secret is made once, when the vault says that there certainly is none. Every hasher on one vault gives the same
/// subjects.
public actor SubjectHasher {
    private static let name = "subject.secret"

    private let vault: any KeyVault
    private let digest: any Digest
    private let random: any RandomSource
    private var secret: SymmetricKey?

    /// A hasher with the secret in `vault`; reads nothing yet.
    public init(vault: any KeyVault, digest: any Digest, random: any RandomSource) {
        self.vault = vault
        self.digest = digest
        self.random = random
    }

    /// The subject of `id` among the ids of `namespace`.
    ///
    /// - Throws: `KeyVaultError` when the secret cannot be read; `CryptoError` when the library failed.
    public func subject(namespace: String, id: String) async throws -> Subject {
        let key = try await secretKey()
        let fields = Bound.bytes("holdfast.subject.1", [Array(namespace.utf8), Array(id.utf8)])
        return Subject(bytes: try digest.hmacSHA256(fields, key: key))
    }

    private func secretKey() async throws -> SymmetricKey {
        if let secret { return secret }
        var stored = try await vault.secret(named: Self.name)
        if stored == nil {
            // Whoever is first has made it; what the vault then holds is the secret for all.
            _ = try await vault.insert(SymmetricKey(random: random).bytes, named: Self.name)
            stored = try await vault.secret(named: Self.name)
        }
        guard let bytes = stored, let key = SymmetricKey(bytes: bytes) else { throw KeyVaultError(.damaged) }
        secret = key
        return key
    }
}
