import Foundation
import HoldfastConformance
import HoldfastDomain
import HoldfastLinux
import XCTest

final class FileKeyVaultTests: XCTestCase {
    private var folder: TemporaryFolder!
    private var path: String { folder.path("vault") }

    override func setUpWithError() throws { folder = try TemporaryFolder() }
    override func tearDown() { folder = nil }

    func testKeepsThePromises() async {
        let broken = await Conformance.keyVault.run {
            let folder = try TemporaryFolder()
            let path = folder.path("vault")
            return Conformance.VaultSubject(
                try FileKeyVault(directory: path),
                reopen: { try FileKeyVault(directory: path) },
                makeUnavailable: { try FileManager.default.moveItem(atPath: path, toPath: folder.path("elsewhere")) }
            )
        }
        XCTAssertEqual(broken, [])
    }

    func testFilesAreTheOwnersAlone() async throws {
        let vault = try FileKeyVault(directory: path)
        _ = try await vault.insert([1], named: "key")
        for (file, mode) in [(path, 0o700), (path + "/key", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            XCTAssertEqual(attributes[.posixPermissions] as? Int, mode)
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: path), ["key"])
    }

    func testAnotherDirectoryInItsPlaceIsUnavailable() async throws {
        let vault = try FileKeyVault(directory: path)
        _ = try await vault.insert([1], named: "key")
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("aside"))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        await assertThrows(.unavailable) { try await vault.secret(named: "key") }
        await assertThrows(.unavailable) { try await vault.insert([2], named: "key") }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: folder.path("aside"), toPath: path)
        let secret = try await vault.secret(named: "key")
        XCTAssertEqual(secret, [1])
    }

    func testEveryDamageIsTold() async throws {
        let vault = try FileKeyVault(directory: path)
        _ = try await vault.insert([1, 2, 3], named: "key")
        let file = URL(fileURLWithPath: path + "/key")
        let whole = try Data(contentsOf: file)
        var damages = (0..<whole.count).map { whole.prefix($0) }
        damages += (0..<whole.count).map { index in
            var changed = whole
            changed[index] ^= 1
            return changed
        }
        damages += [whole + [0], Data(count: whole.count), Data(count: 2 << 20)]
        for damage in damages {
            try damage.write(to: file)
            await assertThrows(.damaged) { try await vault.secret(named: "key") }
        }
        let wasAdded = try await vault.insert([9], named: "key")
        XCTAssertFalse(wasAdded, "a damaged secret is still not absent")
    }

    func testWhatIsNoFileIsDamagedAndCanBeRemoved() async throws {
        let vault = try FileKeyVault(directory: path)
        try FileManager.default.createDirectory(atPath: path + "/folder", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/etc/hostname")
        XCTAssertEqual(mkfifo(path + "/pipe", 0o600), 0)
        for name in ["folder", "link", "pipe"] {
            await assertThrows(.damaged) { try await vault.secret(named: name) }
            try await vault.remove(named: name)
        }
        let names = try await vault.names()
        XCTAssertEqual(names, [])
    }

    func testLeftoversOfACrashAreIgnored() async throws {
        let vault = try FileKeyVault(directory: path)
        try Data([1, 2]).write(to: URL(fileURLWithPath: path + "/.new-123-abc"))
        let names = try await vault.names()
        XCTAssertEqual(names, [])
        let wasAdded = try await vault.insert([1], named: "key")
        XCTAssertTrue(wasAdded)
    }

    func testWhatACrashLeftOfASecretGoesWithIt() async throws {
        let vault = try FileKeyVault(directory: path)
        _ = try await vault.insert([1], named: "key")
        _ = try await vault.insert([2], named: "other")
        // As after a crash between the two steps of making it.
        try FileManager.default.linkItem(atPath: path + "/key", toPath: path + "/.new-1-a")
        try FileManager.default.linkItem(atPath: path + "/other", toPath: path + "/.new-1-b")
        try await vault.remove(named: "key")
        let left = try FileManager.default.contentsOfDirectory(atPath: path)
        XCTAssertEqual(left.sorted(), [".new-1-b", "other"], "no copy of an erased key stays on the disk")
    }

    func testAPathThatIsNoDirectoryIsRefused() throws {
        try folder.write("text", to: "file")
        for name in ["file", "missing/vault", "file/vault"] {
            XCTAssertThrowsError(try FileKeyVault(directory: folder.path(name))) {
                XCTAssertEqual(($0 as? KeyVaultError)?.code, .unavailable)
            }
        }
    }

    func testASecretThatIsTooLargeIsRefused() async throws {
        let vault = try FileKeyVault(directory: path)
        await assertThrows(.tooLarge) {
            try await vault.insert([UInt8](repeating: 0, count: 1 << 20 + 1), named: "key")
        }
    }

    func testTwoVaultsOnOneDirectoryShareIt() async throws {
        let first = try FileKeyVault(directory: path)
        let second = try FileKeyVault(directory: path)
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<32 as Range<UInt8> {
                group.addTask { try await (index % 2 == 0 ? first : second).insert([index], named: "key") }
            }
            return try await group.reduce(0) { $1 ? $0 + 1 : $0 }
        }
        XCTAssertEqual(winners, 1)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: path), ["key"])
    }

    private func assertThrows(
        _ code: KeyVaultError.Code,
        line: UInt = #line,
        _ body: () async throws -> some Any
    ) async {
        do {
            _ = try await body()
            XCTFail("nothing was thrown", line: line)
        } catch {
            XCTAssertEqual((error as? KeyVaultError)?.code, code, "\(error)", line: line)
        }
    }
}
