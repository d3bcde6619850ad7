import HoldfastDomain
import HoldfastInMemory
import XCTest

final class InMemoryKeyVaultTests: XCTestCase {
    func testLockedIsNotAbsent() async throws {
        let vault = InMemoryKeyVault(["a": [1]])
        vault.lock()
        await assertThrows(KeyVaultError(.unavailable)) { try await vault.secret(named: "b") }
        await assertThrows(KeyVaultError(.unavailable)) { try await vault.insert([2], named: "b") }
        vault.unlock()
        let absent = try await vault.secret(named: "b")
        XCTAssertNil(absent)
    }

    func testDamageIsToldOfThatSecretOnly() async throws {
        let vault = InMemoryKeyVault(["a": [1], "b": [2]])
        vault.damage("a")
        await assertThrows(KeyVaultError(.damaged)) { try await vault.secret(named: "a") }
        let other = try await vault.secret(named: "b")
        XCTAssertEqual(other, [2])
        vault.plant([9, 9], named: "b")
        let planted = try await vault.secret(named: "b")
        XCTAssertEqual(planted, [9, 9])
    }
}

func assertThrows<Failure: Error & Equatable>(
    _ expected: Failure,
    line: UInt = #line,
    _ body: () async throws -> some Any
) async {
    do {
        _ = try await body()
        XCTFail("nothing was thrown", line: line)
    } catch {
        XCTAssertEqual(error as? Failure, expected, "\(error)", line: line)
    }
}
