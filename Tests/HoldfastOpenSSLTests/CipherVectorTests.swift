import Foundation
import HoldfastDomain
import HoldfastOpenSSL
import XCTest

final class CipherVectorTests: XCTestCase {
    func testWycheproof() throws {
        struct File: Decodable {
            let testGroups: [Group]
            struct Group: Decodable {
                let keySize: Int
                let ivSize: Int
                let tagSize: Int
                let tests: [Case]
            }
            struct Case: Decodable {
                let tcId: Int
                let key: String
                let iv: String
                let aad: String
                let msg: String
                let ct: String
                let tag: String
                let result: String
            }
        }
        let file = try Vectors.decode(File.self, "wycheproof", "aes_gcm_test.json")
        let cipher = try OpenSSLCipher()
        var agreed = 0
        var inexpressible: [String: Int] = [:]
        for group in file.testGroups {
            // The port knows one key size, one nonce size and one tag size; others cannot even be asked for.
            guard group.keySize == 256, group.ivSize == 96, group.tagSize == 128 else {
                let reason = group.keySize != 256 ? "\(group.keySize)-bit key" : "\(group.ivSize)-bit nonce"
                inexpressible[reason, default: 0] += group.tests.count
                continue
            }
            for test in group.tests {
                let key = try XCTUnwrap(Hex.decode(test.key).flatMap(SymmetricKey.init(bytes:)))
                let sealed = try XCTUnwrap(Hex.decode(test.iv + test.ct + test.tag))
                let aad = try XCTUnwrap(Hex.decode(test.aad))
                if test.result == "valid" {
                    XCTAssertEqual(
                        Hex.encode(try cipher.open(sealed, with: key, binding: aad)),
                        test.msg,
                        "\(test.tcId)"
                    )
                } else {
                    XCTAssertThrowsError(try cipher.open(sealed, with: key, binding: aad), "\(test.tcId)") {
                        XCTAssertEqual(($0 as? CryptoError)?.code, .notAuthentic)
                    }
                }
                agreed += 1
            }
        }
        XCTAssertEqual(agreed, 66)
        print("Wycheproof AES-GCM: \(agreed) checked; not expressible by the port: \(inexpressible)")
    }
}
