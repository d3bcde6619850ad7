import Holdfast

extension ConfigurationError.Code {
    /// The kind in words.
    var words: String {
        switch self {
        case .malformed: "the configuration is not strict JSON, nor its signed compact form"
        case .tooLarge: "the configuration is too large"
        case .missingMember: "the configuration lacks a member"
        case .invalidMember: "the configuration has a member of the wrong kind"
        case .empty: "the configuration has no events, or an event without keys"
        case .invalidKey: "the configuration has a key that is not 32 bytes in base64url"
        case .weakKey: "the configuration has a key under which anybody can forge"
        case .unsigned: "the configuration is not signed"
        case .badSignature: "the configuration is not signed by the trusted key"
        case .olderVersion: "a newer configuration is installed already"
        case .sameVersionDifferentContent: "another configuration of the same version is installed already"
        case .unknownFormat: "the configuration asks for a ticket format that is not known here"
        case .unknownStatus: "the configuration gives a key a status that is not known here"
        case .duplicateEvent: "the configuration has an event twice"
        case .duplicateKey: "the configuration has a key's name twice in one event"
        case .invalidTime: "the configuration has a time that is none, or a window that ends before it begins"
        case .unknownTimeZone: "the configuration has a time zone that is not known here"
        case .invalidTolerance: "the configuration has a tolerance that is no whole number of seconds from 0"
        case .invalidEntries: "the configuration has a number of entries that is no whole number from 1"
        case .invalidVersion: "the configuration has a version that is no whole number from 1"
        default: "the configuration is not valid"
        }
    }
}

extension GateFailure {
    /// The failure in words, with the platform's number if there is one.
    var words: String { withNumber(code.words, platformCode) }
}

extension GateFailure.Code {
    /// The kind in words.
    var words: String {
        switch self {
        case .historyUnreadable: return "a record of this ticket cannot be opened any more"
        case .contended: return "the ticket is being scanned elsewhere; try again"
        case .noSuchAdmission: return "there is no such scan, or it let nobody through"
        case .alreadyAnnulled: return "the scan has been annulled already"
        case .configurationUnreadable: return "the stored configuration cannot be read by this version on this device"
        default: break
        }
        func name(after prefix: String) -> String? {
            rawValue.hasPrefix(prefix) ? String(rawValue.dropFirst(prefix.count)) : nil
        }
        if let name = name(after: "store_") { return QueueStoreError.Code(name).words }
        if let name = name(after: "vault_") { return KeyVaultError.Code(name).words }
        if let name = name(after: "crypto_") { return CryptoError.Code(name).words }
        return "something failed at the gate that should not"
    }
}
