#if canImport(Security)
import Foundation
import HoldfastDomain
import Security

/// Keeps secrets in the keychain, readable from the first unlock on, on this device only.
///
/// Background work reads it while the device is locked; before the first unlock after a restart it throws
/// `.unavailable`. Items never move to another device, so a queue restored there without its keys is told apart from
/// an empty one. They outlive the deletion of the app.
///
/// The port only adds and removes, so a duplicate is an answer (`false`) and nothing is ever updated: a key that has
/// sealed a row is not replaced, not even by a second process at the same moment.
///
/// Each call is a blocking message to another process; the vault makes them one by one on a queue of its own, never on
/// the caller's thread.
public final class KeychainKeyVault: KeyVault {
    private let service: String
    private let accessGroup: String?
    private let queue = DispatchQueue(label: "holdfast.keychain")

    /// The vault of this app.
    ///
    /// - Parameters:
    ///   - service: Keeps several vaults apart.
    ///   - accessGroup: A keychain group to share with an extension, with the team's prefix, as in the entitlement;
    ///     nil for the app's own. Without the entitlement every call throws `.denied`.
    public init(service: String = "holdfast", accessGroup: String? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }

    /// The secret called `name`; nil only if the keychain says that there is no such item while it can be written.
    public func secret(named name: String) async throws -> [UInt8]? {
        guard SecretName.isValid(name) else { return nil }
        let query = item(named: name).merging([
            kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitOne as String,
        ]) { $1 }
        return try await onQueue { [self] in
            var found: CFTypeRef?
            let status = confirmed(SecItemCopyMatching(query as CFDictionary, &found))
            return try KeychainAnswer.secret(status, (found as? Data).map { Array($0) })
        }
    }

    /// Adds a secret unless there is one of that name.
    public func insert(_ secret: [UInt8], named name: String) async throws -> Bool {
        // Accessibility is stored with the item but never asked for: it is not part of an item's identity, and a
        // query with it would miss an item that an add would then call a duplicate.
        guard SecretName.isValid(name) else { throw KeyVaultError(.invalidName) }
        let attributes = item(named: name).merging([
            kSecValueData as String: Data(secret),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String,
        ]) { $1 }
        return try await onQueue {
            try KeychainAnswer.inserted(SecItemAdd(attributes as CFDictionary, nil))
        }
    }

    /// Removes a secret; also while the device is locked.
    public func remove(named name: String) async throws {
        guard SecretName.isValid(name) else { return }
        let query = item(named: name)
        try await onQueue { try KeychainAnswer.removed(SecItemDelete(query as CFDictionary)) }
    }

    /// The names of the secrets of this service.
    public func names() async throws -> [String] {
        let query = base.merging([
            kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll as String,
        ]) { $1 }
        return try await onQueue { [self] in
            var found: CFTypeRef?
            let status = confirmed(SecItemCopyMatching(query as CFDictionary, &found))
            let items = found as? [[String: Any]]
            return try KeychainAnswer.names(status, items.map { $0.map { $0[kSecAttrAccount as String] as? String } })
        }
    }

    private var base: [String: any Sendable] {
        var query: [String: any Sendable] = [
            kSecClass as String: kSecClassGenericPassword as String,
            kSecAttrService as String: service,
            kSecAttrSynchronizable as String: false,
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        return query
    }

    private func item(named name: String) -> [String: any Sendable] {
        base.merging([kSecAttrAccount as String: name]) { $1 }
    }

    /// Believes "not found" only of a keychain that can be written now, by adding an item and taking it away again:
    /// whether a locked keychain answers so is documented nowhere, and to take it for an empty one would be the end of
    /// every sealed row.
    private func confirmed(_ status: OSStatus) -> OSStatus {
        guard status == KeychainStatus.itemNotFound else { return status }
        var probe = item(named: "probe")
        probe[kSecAttrService as String] = service + ".probe"
        let attributes = probe.merging([
            kSecValueData as String: Data([1]),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String,
        ]) { $1 }
        let added = SecItemAdd(attributes as CFDictionary, nil)
        // A probe that stays is found as a duplicate next time, which tells as much.
        _ = SecItemDelete(probe as CFDictionary)
        return KeychainAnswer.absence(whenAddingAnswered: added)
    }

    private func onQueue<T: Sendable>(_ call: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: call)) }
        }
    }
}
#endif
