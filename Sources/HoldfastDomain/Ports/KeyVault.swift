/// Keeps named secrets: the keys that seal the journal, and the device secret behind subjects.
///
/// Secrets are only ever added and removed, never overwritten: a key that has sealed a row can be neither replaced
/// by accident nor by a second process that starts at the same moment.
public protocol KeyVault: Sendable {
    /// The secret called `name`; nil means *certainly absent*.
    ///
    /// - Throws: `KeyVaultError` when it cannot be told now (locked, damaged, no permission). Never nil for those.
    func secret(named name: String) async throws -> [UInt8]?

    /// Adds a secret, durably, unless one of that name exists.
    ///
    /// - Returns: Whether it was added; false leaves the existing secret as it is.
    /// - Throws: `.invalidName` unless `SecretName.isValid(name)`; `KeyVaultError`; then the secret may or may not be there, whole in either case.
    func insert(_ secret: [UInt8], named name: String) async throws -> Bool

    /// Removes a secret, durably. Removing one that is absent is no error.
    func remove(named name: String) async throws

    /// The names of all secrets, in no particular order.
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
