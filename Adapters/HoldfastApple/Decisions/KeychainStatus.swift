import HoldfastDomain

// What the keychain's status codes mean to a vault: plain numbers, so that it is decided and tested anywhere.
// (https://developer.apple.com/documentation/security/security-framework-result-codes)

/// The status codes that a vault tells apart.
enum KeychainStatus {
    static let success: Int32 = 0
    static let invalidParameter: Int32 = -50
    static let authenticationFailed: Int32 = -25293
    static let duplicateItem: Int32 = -25299
    static let itemNotFound: Int32 = -25300
    static let cannotDecode: Int32 = -26275
    static let missingEntitlement: Int32 = -34018
}

extension KeyVaultError {
    /// The failure behind a status that is neither success nor an answer.
    ///
    /// What is not known to be final is *unavailable*: trying again costs little, but taking a locked keychain for
    /// an empty one would make a new key and lose the queue that the old one opens.
    init(keychain status: Int32) {
        let code: Code
        switch status {
        case KeychainStatus.missingEntitlement, KeychainStatus.authenticationFailed: code = .denied
        case KeychainStatus.cannotDecode: code = .damaged
        case KeychainStatus.invalidParameter: code = .invalidName
        default: code = .unavailable
        }
        self.init(code, platformCode: Int(status))
    }
}

/// The answers of the four keychain calls as a vault gives them.
enum KeychainAnswer {
    /// Only `itemNotFound` is absence. Success without bytes is something else than was put in.
    static func secret(_ status: Int32, _ bytes: [UInt8]?) throws -> [UInt8]? {
        switch status {
        case KeychainStatus.success:
            guard let bytes else { throw KeyVaultError(.damaged, platformCode: Int(status)) }
            return bytes
        case KeychainStatus.itemNotFound: return nil
        default: throw KeyVaultError(keychain: status)
        }
    }

    /// What "not found" amounts to, given what adding another item has answered: absence where it could be added, else
    /// whatever kept it from being added.
    static func absence(whenAddingAnswered status: Int32) -> Int32 {
        status == KeychainStatus.success || status == KeychainStatus.duplicateItem
            ? KeychainStatus.itemNotFound : status
    }

    /// A duplicate is an answer: the secret that is there stays.
    static func inserted(_ status: Int32) throws -> Bool {
        switch status {
        case KeychainStatus.success: return true
        case KeychainStatus.duplicateItem: return false
        default: throw KeyVaultError(keychain: status)
        }
    }

    /// Removing what is absent is no error.
    static func removed(_ status: Int32) throws {
        guard status == KeychainStatus.success || status == KeychainStatus.itemNotFound else {
            throw KeyVaultError(keychain: status)
        }
    }

    /// No item at all is an empty list.
    static func names(_ status: Int32, _ accounts: [String?]?) throws -> [String] {
        switch status {
        case KeychainStatus.success:
            guard let accounts else { throw KeyVaultError(.damaged, platformCode: Int(status)) }
            return accounts.compactMap { $0 }
        case KeychainStatus.itemNotFound: return []
        default: throw KeyVaultError(keychain: status)
        }
    }
}
