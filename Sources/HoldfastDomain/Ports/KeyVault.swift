/// Keeps named secrets: the keys that seal the journal, and the device secret behind subjects.
///
/// It keeps keychains and key files out of the package. Secrets are only ever added and removed, never overwritten: a
/// key that has sealed a row can be neither replaced by accident nor by a second process that starts at the same
/// moment. And *certainly absent* is never confused with *unavailable now*: only the first may lead to a new key.
///
/// Use `FileKeyVault` on Linux, `KeychainKeyVault` on Apple platforms, `InMemoryKeyVault` in tests. Write one over any
/// store that can add a value atomically *if there is none*, and that can tell "not there" from every other failure;
/// when in doubt, throw. It is called from any task. In a test:
///
/// ```swift
/// actor DictionaryVault: KeyVault {
///     private var secrets: [String: [UInt8]] = [:]
///
///     func secret(named name: String) -> [UInt8]? { secrets[name] }
///
///     func insert(_ secret: [UInt8], named name: String) throws -> Bool {
///         guard SecretName.isValid(name) else { throw KeyVaultError(.invalidName) }
///         guard secrets[name] == nil else { return false }
///         secrets[name] = secret
///         return true
///     }
///
///     func remove(named name: String) { secrets[name] = nil }
///
///     func names() -> [String] { Array(secrets.keys) }
/// }
/// ```
///
/// A vault promises, and `Conformance.keyVault` checks:
/// - `nil_means_absent`: and an empty vault has no names.
/// - `gives_back_what_was_put_in`: byte for byte, an empty secret included.
/// - `never_overwrites`: a second secret of one name is refused, and the first stays.
/// - `one_of_many_inserts_wins`: exactly one, and its secret is the one that is found.
/// - `removing_is_final_and_repeatable`: of that name alone; the name may be used again.
/// - `refuses_names_it_cannot_store`: by the rule of `SecretName`, and no others.
/// - `tells_names_apart_by_case`: `key` and `KEY` are two.
/// - `outlives_a_restart`: what was added and what was removed.
/// - `unavailable_is_not_absent`: a vault that cannot tell throws, whatever it is asked.
public protocol KeyVault: Sendable {
    /// The secret called `name`; nil means *certainly absent*.
    ///
    /// - Throws: `KeyVaultError` when the vault cannot say (locked, damaged, no permission). It never returns nil then.
    func secret(named name: String) async throws -> [UInt8]?

    /// Adds a secret, durably, unless one of that name exists.
    ///
    /// - Returns: Whether it was added; false leaves the existing secret as it is.
    /// - Throws: `.invalidName` unless `SecretName.isValid(name)`; any other `KeyVaultError` leaves it open whether the
    ///   secret is there, whole in either case.
    func insert(_ secret: [UInt8], named name: String) async throws -> Bool

    /// Removes a secret, durably. Removing one that is absent is no error.
    ///
    /// - Throws: `KeyVaultError`, as `insert` does.
    func remove(named name: String) async throws

    /// The names of all secrets, in no particular order.
    ///
    /// - Throws: `KeyVaultError` when the vault cannot say. It never leaves names out then.
    func names() async throws -> [String]
}

/// Which names every vault can store a secret under.
public enum SecretName {
    /// Whether `name` is 1 to 128 of `a–z A–Z 0–9 . _ -` and does not start with a dot.
    public static func isValid(_ name: String) -> Bool {
        guard (1...128).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                return true
            default: return false
            }
        }
    }
}

/// Why a vault could not answer.
public struct KeyVaultError: Error, Hashable, Sendable {
    /// The kind of failure; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// The vault is locked now (such as before the first unlock of a device); try again later.
        public static let unavailable = Code("unavailable")
        /// Something is stored there, but it is not what was put in.
        public static let damaged = Code("damaged")
        /// This process may not use the vault.
        public static let denied = Code("denied")
        /// The vault may be read, but not written.
        public static let readOnly = Code("read_only")
        /// The vault has none, or another than before, of a secret that something else proves to have been there.
        public static let lost = Code("lost")
        /// The name cannot be stored.
        public static let invalidName = Code("invalid_name")
    }

    /// The kind of failure.
    public var code: Code
    /// The platform's own number (errno, OSStatus), if there is one.
    public var platformCode: Int?

    /// An error of this kind.
    public init(_ code: Code, platformCode: Int? = nil) {
        self.code = code
        self.platformCode = platformCode
    }
}
