import Dispatch
import Glibc
import HoldfastDomain

/// Keeps secrets as files in a directory that only its owner can read. Safe to use from any task, and from several
/// processes at once.
///
/// A secret is one file (mode 0600) in a directory (0700), written whole or not at all, and on the medium before
/// `insert` returns. That a file is not there means *absent* only as long as the directory is the one that was opened:
/// if it was moved, unmounted or replaced, the vault is *unavailable*. Removing a secret unlinks its file, which no
/// longer shows it, but does not scrub the medium. Keep the directory out of backups that others can read.
public struct FileKeyVault: KeyVault {
    private let directory: VaultDirectory
    // A file may take its time; a thread of the vault's own waits for it, not one of the few that run tasks.
    private let queue = DispatchQueue(label: "holdfast.key-vault")

    /// Opens the vault at `path`, and makes the directory if there is none; its parent must exist.
    ///
    /// - Throws: `KeyVaultError` if it cannot be made or is no directory.
    public init(directory path: String) throws { directory = try VaultDirectory(path) }

    /// The secret called `name`.
    public func secret(named name: String) async throws -> [UInt8]? {
        guard SecretName.isValid(name) else { return nil }
        return try await onQueue { try $0.read(name) }
    }

    /// Adds a secret of at most 1 MiB unless one of that name exists.
    public func insert(_ secret: [UInt8], named name: String) async throws -> Bool {
        guard SecretName.isValid(name) else { throw KeyVaultError(.invalidName) }
        guard secret.count <= SecretFile.limit else { throw KeyVaultError(.tooLarge) }
        return try await onQueue { try $0.add(SecretFile.encode(secret), as: name) }
    }

    /// Removes a secret, also one whose file is damaged.
    public func remove(named name: String) async throws {
        guard SecretName.isValid(name) else { return }
        try await onQueue { try $0.remove(name) }
    }

    /// The names of all secrets.
    public func names() async throws -> [String] { try await onQueue { try $0.names() } }

    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (VaultDirectory) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Swift.Result { try body(directory) }.mapError { KeyVaultError(system: $0) }
                )
            }
        }
    }
}

extension KeyVaultError {
    /// What a failed system call means to a vault. None of them means that a secret is absent.
    init(system error: any Error) {
        switch error {
        case let error as KeyVaultError: self = error
        case let error as SystemError:
            let code: Code
            switch error.number {
            case EACCES, EPERM: code = .denied
            case EROFS: code = .readOnly
            default: code = .unavailable
            }
            self.init(code, platformCode: Int(error.number))
        default: self.init(.unavailable)
        }
    }
}

extension KeyVaultError.Code {
    /// The secret is larger than a vault of files takes.
    public static let tooLarge = KeyVaultError.Code("too_large")
}
