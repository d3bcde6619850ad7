/// Turns names, such as a ticket's id, into subjects that reveal nothing: HMAC-SHA-256 (RFC 2104) under a secret that
/// never leaves the device's vault.
///
/// The secret is made once, when the vault says that there certainly is none and the journal holds no subjects yet.
/// Every hasher on one vault gives the same subjects. Under another secret every ticket would look unused; so the journal
/// keeps a check of the secret, an HMAC of a fixed text that reveals nothing, and without the secret that fits it there
/// are no subjects.
public actor SubjectHasher {
    private static let name = "subject.secret"
    private static let checkName = "subject.check"

    private let vault: any KeyVault
    private let journal: any QueueStore & StateStore
    private let digest: any Digest
    private let random: any RandomSource
    private var secret: SymmetricKey?

    /// A hasher for `journal` with the secret in `vault`; reads nothing yet.
    public init(
        vault: any KeyVault,
        journal: any QueueStore & StateStore,
        digest: any Digest,
        random: any RandomSource
    ) {
        self.vault = vault
        self.journal = journal
        self.digest = digest
        self.random = random
    }

    /// The subject of `id` among the ids of `namespace`.
    ///
    /// - Throws: `KeyVaultError` when the secret cannot be read, `.lost` when it is not the one that the journal's
    ///   subjects were made with; `QueueStoreError` when the journal cannot be read; `CryptoError` when the library
    ///   failed.
    public func subject(namespace: String, id: String) async throws -> Subject {
        let key = try await secretKey()
        let fields = Bound.bytes("holdfast.subject.1", [Array(namespace.utf8), Array(id.utf8)])
        return Subject(bytes: try digest.hmacSHA256(fields, key: key))
    }

    /// Puts the secret back if it is known here and the vault has lost it meanwhile.
    ///
    /// - Throws: `KeyVaultError` when the vault cannot be asked now.
    public func refresh() async throws {
        if let secret { _ = try await vault.insert(secret.bytes, named: Self.name) }
    }

    private func secretKey() async throws -> SymmetricKey {
        if let secret { return secret }
        // Before the vault is asked: another process may be making the secret, and then the check, just now.
        let known = try await journal.value(named: Self.checkName)
        // Each configuration was installed as a subject's version, and no ticket is admitted without one.
        let hasSubjects = try await journal.statistics(.configuration).lastSequence > 0
        var stored = try await vault.secret(named: Self.name)
        if stored == nil {
            guard known == nil, !hasSubjects else { throw KeyVaultError(.lost) }
            // The first insert wins; what the vault then holds is the secret of all processes.
            _ = try await vault.insert(SymmetricKey(random: random).bytes, named: Self.name)
            stored = try await vault.secret(named: Self.name)
        }
        guard let bytes = stored, let key = SymmetricKey(bytes: bytes) else { throw KeyVaultError(.damaged) }
        let check = try digest.hmacSHA256(Bound.bytes("holdfast.subject.check.1", []), key: key)
        if let known {
            guard known == check else { throw KeyVaultError(.lost) }
        } else {
            // A journal that cannot be written now can still be read; the next process stores it.
            try? await journal.setValue(check, named: Self.checkName)
        }
        secret = key
        return key
    }
}
