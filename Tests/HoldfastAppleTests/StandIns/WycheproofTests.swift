#if canImport(CryptoKit)
import Foundation
import HoldfastApple
import HoldfastDomain
import XCTest

/// Wycheproof's cases through the CryptoKit adapters, in which the stand-in computes for real.
final class WycheproofTests: XCTestCase {
    private struct Suite<Group: Decodable>: Decodable { let testGroups: [Group] }

    private func groups<Group: Decodable>(_ type: Group.Type, _ name: String) throws -> [Group] {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appendingPathComponent("../shared/vectors/wycheproof/\(name)")
        guard let data = try? Data(contentsOf: file) else { throw XCTSkip("no vectors at ../shared/vectors") }
        return try JSONDecoder().decode(Suite<Group>.self, from: data).testGroups
    }

    private func bytes(_ hex: String) throws -> [UInt8] { try XCTUnwrap(Hex.decode(hex)) }

    func testEd25519() throws {
        struct Group: Decodable {
            struct Key: Decodable { let pk: String }
            struct Case: Decodable { let tcId: Int, msg: String, sig: String, result: String }
            let publicKey: Key
            let tests: [Case]
        }
        var count = 0
        for group in try groups(Group.self, "ed25519_test.json") {
            let key = PublicKey(bytes: try bytes(group.publicKey.pk))
            for test in group.tests {
                let isValid = try key.map {
                    try CryptoKitVerifier().isValid(try bytes(test.sig), over: try bytes(test.msg), by: $0)
                }
                XCTAssertEqual(isValid ?? false, test.result == "valid", "tcId \(test.tcId)")
                count += 1
            }
        }
        XCTAssertEqual(count, 151)
    }

    func testAESGCM() throws {
        struct Group: Decodable {
            struct Case: Decodable {
                let tcId: Int, key: String, iv: String, aad: String, msg: String, ct: String, tag: String,
                    result: String
            }
            let keySize: Int, ivSize: Int, tagSize: Int
            let tests: [Case]
        }
        // The port knows one size each of key, nonce and tag.
        let groups = try groups(Group.self, "aes_gcm_test.json")
            .filter { $0.keySize == 256 && $0.ivSize == 96 && $0.tagSize == 128 }
        let cipher = CryptoKitCipher()
        var count = 0
        for test in groups.flatMap(\.tests) {
            let key = try XCTUnwrap(SymmetricKey(bytes: try bytes(test.key)))
            let sealed = try bytes(test.iv + test.ct + test.tag)
            let opened = Result { try cipher.open(sealed, with: key, binding: try bytes(test.aad)) }
            if test.result == "valid" {
                XCTAssertEqual(try opened.get(), try bytes(test.msg), "tcId \(test.tcId)")
            } else {
                XCTAssertThrowsError(try opened.get(), "tcId \(test.tcId)") {
                    XCTAssertEqual(($0 as? CryptoError)?.code, .notAuthentic)
                }
            }
            count += 1
        }
        XCTAssertEqual(count, 66)
    }
}
#endif
