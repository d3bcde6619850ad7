import HoldfastDomain

extension Conformance {
    /// A key vault, and what a check has to do to it from outside.
    public struct VaultSubject: Sendable {
        let vault: any KeyVault
        let reopen: (@Sendable () async throws -> any KeyVault)?
        let makeUnavailable: (@Sendable () async throws -> Void)?

        /// A fresh, empty vault.
        ///
        /// - Parameters:
        ///   - vault: The vault.
        ///   - reopen: Opens the same secrets anew, as after a restart; nil for a vault that does not outlive one.
        ///   - makeUnavailable: Makes the vault unable to answer, as a locked device does; nil if nothing can.
        public init(
            _ vault: any KeyVault,
            reopen: (@Sendable () async throws -> any KeyVault)?,
            makeUnavailable: (@Sendable () async throws -> Void)?
        ) {
            self.vault = vault
            self.reopen = reopen
            self.makeUnavailable = makeUnavailable
        }
    }

    /// The promises of `KeyVault`.
    public static let keyVault = ConformanceSuite<VaultSubject>([
        .init("nil_means_absent") { subject in
            let secret = try await subject.vault.secret(named: "a")
            try promise(secret == nil, "an empty vault has a secret")
            let names = try await subject.vault.names()
            try promise(names.isEmpty, "an empty vault has \(names.count) names")
        },
        .init("gives_back_what_was_put_in") { subject in
            for secret in secrets {
                let name = "secret-\(secret.count)"
                let wasAdded = try await subject.vault.insert(secret, named: name)
                try promise(wasAdded, "a new secret of \(secret.count) bytes was not added")
                let found = try await subject.vault.secret(named: name)
                try promise(found == secret, "\(secret.count) bytes came back otherwise")
            }
            let names = try await subject.vault.names()
            try promise(Set(names) == Set(secrets.map { "secret-\($0.count)" }), "the names are not those put in")
            try promise(names.count == secrets.count, "a name is told twice")
        },
        .init("never_overwrites") { subject in
            _ = try await subject.vault.insert([1], named: "a")
            let wasAdded = try await subject.vault.insert([2], named: "a")
            try promise(!wasAdded, "a second secret of one name was added")
            let found = try await subject.vault.secret(named: "a")
            try promise(found == [1], "the first secret was replaced")
        },
        .init("one_of_many_inserts_wins") { subject in
            let vault = subject.vault
            let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                for index in 0..<16 as Range<UInt8> {
                    group.addTask { try await vault.insert([index], named: "a") ? index : nil }
                }
                return try await group.reduce(into: [UInt8]()) { if let winner = $1 { $0.append(winner) } }
            }
            try promise(winners.count == 1, "\(winners.count) of 16 inserts of one name succeeded")
            let found = try await vault.secret(named: "a")
            try promise(found == winners, "the secret is not the winner's")
        },
        .init("removing_is_final_and_repeatable") { subject in
            _ = try await subject.vault.insert([1], named: "a")
            _ = try await subject.vault.insert([2], named: "b")
            try await subject.vault.remove(named: "a")
            try await subject.vault.remove(named: "a")
            let (removed, kept) = (
                try await subject.vault.secret(named: "a"), try await subject.vault.secret(named: "b")
            )
            try promise(removed == nil, "a removed secret is still there")
            try promise(kept == [2], "another secret went with it")
            let wasAdded = try await subject.vault.insert([3], named: "a")
            try promise(wasAdded, "the name of a removed secret cannot be used again")
        },
        .init("refuses_names_it_cannot_store") { subject in
            for name in [
                "", ".", "..", ".hidden", "a/b", "../a", "a\0b", "a b", "é", String(repeating: "n", count: 129),
            ] {
                try await promise(throwing: KeyVaultError.self, where: { $0.code == .invalidName }, "an unfit name") {
                    try await subject.vault.insert([1], named: name)
                }
            }
            let longest = String(repeating: "n", count: 128)
            _ = try await subject.vault.insert([1], named: longest)
            let found = try await subject.vault.secret(named: longest)
            try promise(found == [1], "a name of 128 characters cannot be stored")
        },
        .init("tells_names_apart_by_case") { subject in
            _ = try await subject.vault.insert([1], named: "key")
            _ = try await subject.vault.insert([2], named: "KEY")
            let found = (try await subject.vault.secret(named: "key"), try await subject.vault.secret(named: "KEY"))
            try promise(found == ([1], [2]), "two names that differ in case are one")
        },
        .init("outlives_a_restart") { subject in
            guard let reopen = subject.reopen else { return }
            _ = try await subject.vault.insert([1, 2, 3], named: "a")
            _ = try await subject.vault.insert([4], named: "b")
            try await subject.vault.remove(named: "b")
            let reopened = try await reopen()
            let (kept, removed) = (try await reopened.secret(named: "a"), try await reopened.secret(named: "b"))
            try promise(kept == [1, 2, 3], "a secret did not outlive the vault's reopening")
            try promise(removed == nil, "a removed secret came back")
        },
        .init("unavailable_is_not_absent") { subject in
            guard let makeUnavailable = subject.makeUnavailable else { return }
            _ = try await subject.vault.insert([1], named: "a")
            try await makeUnavailable()
            for name in ["a", "never-there"] {
                try await promise(throwing: KeyVaultError.self, "asked while it could not tell") {
                    try await subject.vault.secret(named: name)
                }
            }
            try await promise(throwing: KeyVaultError.self, "listed while it could not tell") {
                try await subject.vault.names()
            }
            try await promise(throwing: KeyVaultError.self, "added to while it could not tell") {
                try await subject.vault.insert([9], named: "new")
            }
        },
    ])

    private static let secrets: [[UInt8]] = [
        [], [0], [UInt8](repeating: 0xff, count: 32), (0..<4096).map { UInt8(truncatingIfNeeded: $0) },
    ]
}
