#if canImport(AppleDevice)
import AppleDevice
import HoldfastApple
import HoldfastConformance
import HoldfastDomain
@_spi(StandIn) import Security
import XCTest

final class KeychainKeyVaultTests: XCTestCase {
    private let vault = KeychainKeyVault(service: "test")

    override func setUp() {
        Keychain.current.reset()
        AppleDevice.current.lockState = .unlocked
    }

    override func tearDown() { AppleDevice.current.lockState = .unlocked }

    private func failure(_ body: () async throws -> Void) async -> KeyVaultError? {
        do {
            try await body()
            return nil
        } catch { return error as? KeyVaultError }
    }

    func testKeepsThePromisesOfAVault() async {
        let broken = await Conformance.keyVault.run {
            AppleDevice.current.lockState = .unlocked
            Keychain.current.reset()
            return .init(
                KeychainKeyVault(service: "test"),
                reopen: { KeychainKeyVault(service: "test") },
                makeUnavailable: { AppleDevice.current.lockState = .beforeFirstUnlock }
            )
        }
        XCTAssertEqual(broken, [])
    }

    func testReadsWhileLockedButNotBeforeTheFirstUnlock() async throws {
        _ = try await vault.insert([1], named: "k")
        AppleDevice.current.lockState = .locked
        let whileLocked = try await vault.secret(named: "k")
        XCTAssertEqual(whileLocked, [1])
        AppleDevice.current.lockState = .beforeFirstUnlock
        let error = await failure { _ = try await vault.secret(named: "k") }
        XCTAssertEqual(error, KeyVaultError(.unavailable, platformCode: -25308))
    }

    func testItemsAreBoundToTheDeviceAndReadableFromTheFirstUnlock() async throws {
        _ = try await vault.insert([1], named: "k")
        let item = try XCTUnwrap(Keychain.current.items.first)
        XCTAssertEqual(item[kSecAttrAccessible], AnyHashable(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly))
        XCTAssertEqual(item[kSecAttrSynchronizable], false)
        Keychain.current.restoreToNewDevice()
        let restored = try await vault.secret(named: "k")
        XCTAssertNil(restored)
    }

    func testAMissingEntitlementIsDenied() async throws {
        let shared = KeychainKeyVault(service: "test", accessGroup: "TEAM.shared")
        for body: () async throws -> Void in [
            { _ = try await shared.secret(named: "k") }, { _ = try await shared.insert([1], named: "k") },
            { try await shared.remove(named: "k") }, { _ = try await shared.names() },
        ] {
            let error = await failure(body)
            XCTAssertEqual(error, KeyVaultError(.denied, platformCode: -34018))
        }
        Keychain.current.accessGroups = ["TEAM.app", "TEAM.shared"]
        let isAdded = try await shared.insert([1], named: "k")
        XCTAssertTrue(isAdded)
    }

    func testGarbageInPlaceOfASecretIsDamage() async throws {
        _ = try await vault.insert([1], named: "k")
        Keychain.current.items[0][kSecValueData] = "not data"
        let error = await failure { _ = try await vault.secret(named: "k") }
        XCTAssertEqual(error?.code, .damaged)
        let isAdded = try await vault.insert([2], named: "k")
        XCTAssertFalse(isAdded, "what is there is not replaced")
    }

    func testAnItemOfOtherAccessibilityIsFoundAndKept() async throws {
        // An earlier version of a host may have stored it otherwise: a query must not miss what an add calls there.
        _ = try await vault.insert([1], named: "k")
        Keychain.current.items[0][kSecAttrAccessible] = AnyHashable(kSecAttrAccessibleWhenUnlocked)
        let found = try await vault.secret(named: "k")
        XCTAssertEqual(found, [1])
        let isAdded = try await vault.insert([2], named: "k")
        XCTAssertFalse(isAdded)
    }

    func testAFailureOfAnyKindLeavesNothingBehindAndIsNotAbsence() async throws {
        for status: Int32 in [-25308, -36, -2070, -25291, -26275] {
            Keychain.current.script([status])
            let error = await failure { _ = try await vault.secret(named: "k") }
            XCTAssertEqual(error?.platformCode, Int(status))
        }
        XCTAssertEqual(Keychain.current.items.count, 0)
    }

    func testNotFoundFromAKeychainThatCannotBeWrittenIsUnavailable() async {
        Keychain.current.script([-25300, -25308])
        let error = await failure { _ = try await vault.secret(named: "k") }
        XCTAssertEqual(error, KeyVaultError(.unavailable, platformCode: -25308))
    }

    func testServicesAreApartAndItemsOutliveTheApp() async throws {
        _ = try await vault.insert([1], named: "k")
        let other = try await KeychainKeyVault(service: "other").secret(named: "k")
        XCTAssertNil(other)
        let names = try await KeychainKeyVault(service: "test").names()
        XCTAssertEqual(names, ["k"])
        XCTAssertEqual(Keychain.current.items.count, 1, "no probe stays behind")
    }

    @MainActor
    func testNeverBlocksTheMainThread() async throws {
        // The stand-in raises if it is called there.
        _ = try await vault.insert([1], named: "k")
        _ = try await vault.secret(named: "absent")
        try await vault.remove(named: "k")
    }
}
#endif
