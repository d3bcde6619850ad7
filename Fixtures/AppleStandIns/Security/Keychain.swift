import AppleDevice
import Foundation

/// The keychain behind the `SecItem` functions: a table of generic passwords, as documented.
///
/// The primary key is service, account, access group and synchronizable; accessibility is not in it but filters
/// queries. Items outlive the app.
/// `@unchecked`: its state is read and written under the lock.
@_spi(StandIn)
public final class Keychain: @unchecked Sendable {
    /// The keychain of this process's app.
    public static let current = Keychain()

    private let lock = NSLock()
    private var rows: [[String: AnyHashable]] = []
    private var scripted: [OSStatus] = []
    private var groups = ["TEAM.app"]
    private var calls = 0
    private var file: URL?

    private init() {}

    /// The access groups of the app's entitlement; the first is the default. Empty: the entitlement is missing.
    public var accessGroups: [String] {
        get { lock.withLock { groups } }
        set { lock.withLock { groups = newValue } }
    }

    /// How many calls were made.
    public var callCount: Int { lock.withLock { calls } }

    /// The rows, for tests to inspect or damage.
    public var items: [[String: AnyHashable]] {
        get { lock.withLock { rows } }
        set { lock.withLock { rows = newValue } }
    }

    /// Makes the next calls answer these, in order, and do nothing.
    public func script(_ statuses: [OSStatus]) { lock.withLock { scripted += statuses } }

    /// Empties the keychain and forgets every script.
    public func reset() {
        lock.withLock {
            (rows, scripted, groups, calls) = ([], [], ["TEAM.app"], 0)
        }
    }

    /// Restores a backup to another device: items that are bound to this one stay behind.
    public func restoreToNewDevice() {
        lock.withLock {
            rows.removeAll { $0[kSecAttrAccessible] == AnyHashable(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly) }
        }
    }

    /// Keeps the items in a file from now on, beginning with those that an earlier process kept there.
    public func keep(in file: URL) {
        let data = try? Data(contentsOf: file)
        let list = data.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
        let kept = list as? [[String: Any]] ?? []
        lock.withLock {
            self.file = file
            rows += kept.map { row in row.compactMapValues(Self.attribute) }
        }
    }

    private static func attribute(_ value: Any) -> AnyHashable? {
        if let data = value as? Data { return data }
        if let text = value as? String { return text }
        return value as? Bool
    }

    func perform(_ call: String, _ body: (inout [[String: AnyHashable]], [String]) -> OSStatus) -> OSStatus {
        AppleDevice.current.expectOffMain(call)
        return lock.withLock {
            calls += 1
            if !scripted.isEmpty { return scripted.removeFirst() }
            let before = rows
            defer { if rows != before { write() } }
            return body(&rows, groups)
        }
    }

    private func write() {
        guard let file else { return }
        let items = rows.map { $0.mapValues(\.base) }
        do {
            let data = try PropertyListSerialization.data(fromPropertyList: items, format: .binary, options: 0)
            try data.write(to: file, options: .atomic)
        } catch { fatalError("the keychain cannot be kept: \(error)") }
    }
}

/// Whether an item of this accessibility can be read and written now.
func isAccessible(_ accessible: AnyHashable?) -> Bool {
    switch AppleDevice.current.lockState {
    case .unlocked: return true
    case .locked: return accessible == AnyHashable(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
    case .beforeFirstUnlock: return false
    }
}
