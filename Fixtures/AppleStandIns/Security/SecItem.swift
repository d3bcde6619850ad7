import Foundation

private let primaryKey = [kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrSynchronizable]
private let stored = primaryKey + [kSecAttrAccessible, kSecValueData]

private func attributes(_ dictionary: CFDictionary) -> [String: AnyHashable]? {
    guard let all = dictionary as? [String: Any], all[kSecClass] as? String == kSecClassGenericPassword else {
        return nil
    }
    return all.compactMapValues { $0 as? AnyHashable }
}

private func isAllowed(_ query: [String: AnyHashable], _ groups: [String]) -> Bool {
    guard let group = query[kSecAttrAccessGroup] as? String else { return !groups.isEmpty }
    return groups.contains(group)
}

private func matches(_ row: [String: AnyHashable], _ query: [String: AnyHashable], _ groups: [String]) -> Bool {
    guard let group = row[kSecAttrAccessGroup] as? String, groups.contains(group) else { return false }
    return stored.allSatisfy { query[$0] == nil || query[$0] == row[$0] }
}

/// Adds a row.
@available(iOS 2.0, macOS 10.6, *)
@discardableResult
public func SecItemAdd(_ attributesToAdd: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.current.perform("SecItemAdd") { rows, groups in
        guard let new = attributes(attributesToAdd), new[kSecMatchLimit] == nil else { return errSecParam }
        guard isAllowed(new, groups) else { return errSecMissingEntitlement }
        let defaults: [String: AnyHashable] = [
            kSecAttrService: "", kSecAttrAccount: "", kSecAttrAccessGroup: groups[0], kSecAttrSynchronizable: false,
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
        ]
        let row = defaults.merging(new.filter { stored.contains($0.key) }) { $1 }
        guard isAccessible(row[kSecAttrAccessible]) else { return errSecInteractionNotAllowed }
        guard !rows.contains(where: { old in primaryKey.allSatisfy { old[$0] == row[$0] } }) else {
            return errSecDuplicateItem
        }
        rows.append(row)
        return errSecSuccess
    }
}

/// Reads rows: data, attributes or both, of one or all that match.
@available(iOS 2.0, macOS 10.6, *)
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.current.perform("SecItemCopyMatching") { rows, groups in
        guard let query = attributes(query) else { return errSecParam }
        guard isAllowed(query, groups) else { return errSecMissingEntitlement }
        let found = rows.filter { matches($0, query, groups) }
        guard !found.isEmpty else { return errSecItemNotFound }
        guard found.allSatisfy({ isAccessible($0[kSecAttrAccessible]) }) else { return errSecInteractionNotAllowed }
        let wantsData = query[kSecReturnData] as? Bool == true
        let wantsAttributes = query[kSecReturnAttributes] as? Bool == true
        let answers: [AnyObject] = found.compactMap { row in
            if wantsAttributes {
                return row.filter { wantsData || $0.key != kSecValueData }.mapValues(\.base) as NSDictionary
            }
            guard wantsData, let value = row[kSecValueData]?.base else { return nil }
            return (value as? Data).map { $0 as NSData } ?? value as AnyObject
        }
        if query[kSecMatchLimit] as? String == kSecMatchLimitAll {
            result?.pointee = answers as NSArray
        } else {
            result?.pointee = answers.first
        }
        return errSecSuccess
    }
}

/// Changes the rows that match.
@available(iOS 2.0, macOS 10.6, *)
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Keychain.current.perform("SecItemUpdate") { rows, groups in
        guard let query = attributes(query), let changes = attributesToUpdate as? [String: Any],
            !changes.keys.contains(where: { $0.hasPrefix("r_") || $0.hasPrefix("m_") })
        else { return errSecParam }
        guard isAllowed(query, groups) else { return errSecMissingEntitlement }
        let found = rows.indices.filter { matches(rows[$0], query, groups) }
        guard !found.isEmpty else { return errSecItemNotFound }
        guard found.allSatisfy({ isAccessible(rows[$0][kSecAttrAccessible]) }) else {
            return errSecInteractionNotAllowed
        }
        for index in found {
            for (key, value) in changes { rows[index][key] = value as? AnyHashable }
        }
        return errSecSuccess
    }
}

/// Removes the rows that match, on a locked device too.
@available(iOS 2.0, macOS 10.6, *)
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Keychain.current.perform("SecItemDelete") { rows, groups in
        guard let query = attributes(query), query[kSecMatchLimit] == nil else { return errSecParam }
        guard isAllowed(query, groups) else { return errSecMissingEntitlement }
        let before = rows.count
        rows.removeAll { matches($0, query, groups) }
        return rows.count == before ? errSecItemNotFound : errSecSuccess
    }
}
