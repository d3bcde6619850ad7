import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Vaults with one fault each, which the check that is meant for it must find.
final class VaultMutantTests: XCTestCase {
    func testEachFaultIsFound() async {
        let faults: [(Fault, Set<String>)] = [
            (.saysAbsentWhenLocked, ["unavailable_is_not_absent"]),
            (.overwrites, ["never_overwrites", "one_of_many_inserts_wins"]),
            (.checksThenWrites, ["one_of_many_inserts_wins"]),
            (.forgets, ["outlives_a_restart"]),
            (.cutsLongSecrets, ["gives_back_what_was_put_in"]),
            (.keepsRemovedNames, ["removing_is_final_and_repeatable"]),
            (.throwsWhenRemovingTwice, ["removing_is_final_and_repeatable"]),
            (.takesAnyName, ["refuses_names_it_cannot_store"]),
            (.ignoresCase, ["tells_names_apart_by_case"]),
            (.claimsAGhost, ["nil_means_absent"]),
        ]
        for (fault, names) in faults {
            let broken = await Conformance.keyVault.run {
                let vault = MutantVault(fault)
                return Conformance.VaultSubject(vault, reopen: { vault.reopened() }, makeUnavailable: { vault.lock() })
            }
            XCTAssertEqual(Set(broken.map(\.check)), names, "\(fault)")
        }
    }
}

private enum Fault: Sendable {
    case saysAbsentWhenLocked, overwrites, checksThenWrites, forgets, cutsLongSecrets, keepsRemovedNames
    case throwsWhenRemovingTwice, takesAnyName, ignoresCase, claimsAGhost
}

/// An in-memory vault with a fault.
private actor MutantVault: KeyVault {
    private let fault: Fault
    private var secrets: [String: [UInt8]] = [:]
    private var removed: Set<String> = []
    private var checked = 0
    private nonisolated let isLocked = ManualLatch()

    init(_ fault: Fault) { self.fault = fault }

    nonisolated func lock() { isLocked.set() }

    nonisolated func reopened() -> any KeyVault { fault == .forgets ? InMemoryKeyVault() : self }

    func secret(named name: String) async throws -> [UInt8]? {
        if isLocked.isSet {
            if fault == .saysAbsentWhenLocked { return nil }
            throw KeyVaultError(.unavailable)
        }
        if fault == .claimsAGhost, secrets.isEmpty, removed.isEmpty { return [0] }
        return secrets[key(name)]
    }

    func insert(_ secret: [UInt8], named name: String) async throws -> Bool {
        if isLocked.isSet { throw KeyVaultError(.unavailable) }
        guard fault == .takesAnyName || SecretName.isValid(name) else { throw KeyVaultError(.invalidName) }
        if fault == .keepsRemovedNames, removed.contains(name) { return false }
        if fault != .overwrites, secrets[key(name)] != nil { return false }
        if fault == .checksThenWrites { await waitForAnother() }
        secrets[key(name)] = fault == .cutsLongSecrets ? Array(secret.prefix(256)) : secret
        return true
    }

    /// An actor lets others in while it waits, and what it has checked is then no longer so. Waits for them, but not for
    /// ever: mostly there is nobody.
    private func waitForAnother() async {
        checked += 1
        let before = checked
        for _ in 0..<20_000 where checked == before { await Task.yield() }
    }

    func remove(named name: String) async throws {
        let found = secrets.removeValue(forKey: key(name))
        if found == nil, fault == .throwsWhenRemovingTwice { throw KeyVaultError(.damaged) }
        removed.insert(name)
    }

    func names() async throws -> [String] {
        if isLocked.isSet { throw KeyVaultError(.unavailable) }
        return Array(secrets.keys)
    }

    private func key(_ name: String) -> String { fault == .ignoresCase ? name.lowercased() : name }
}

/// Set once, from anywhere.
private final class ManualLatch: Sendable {
    private let vault = SwitchablePower()
    var isSet: Bool { vault.current().isLowPower }
    func set() { vault.set(PowerStatus(isLowPower: true)) }
}
