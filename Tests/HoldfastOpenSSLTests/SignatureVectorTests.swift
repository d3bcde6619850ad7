import Foundation
import HoldfastDomain
import HoldfastOpenSSL
import XCTest

/// Signatures that others made, through the key type and the verifier together: a key that is refused when it is
/// loaded counts as a signature refused.
final class SignatureVectorTests: XCTestCase {
    private func accepts(_ signature: String, over message: String, by key: String) throws -> Bool {
        guard let key = PublicKey(bytes: try bytes(key)) else { return false }
        return try OpenSSLVerifier().isValid(try bytes(signature), over: try bytes(message), by: key)
    }

    private func bytes(_ hex: String) throws -> [UInt8] { try XCTUnwrap(Hex.decode(hex)) }

    func testWycheproof() throws {
        struct File: Decodable {
            let testGroups: [Group]
            struct Group: Decodable {
                let publicKey: Key
                let publicKeyPem: String
                let tests: [Case]
            }
            struct Key: Decodable { let pk: String }
            struct Case: Decodable {
                let tcId: Int
                let msg: String
                let sig: String
                let result: String
            }
        }
        let file = try Vectors.decode(File.self, "wycheproof", "ed25519_test.json")
        var agreed = 0
        for group in file.testGroups {
            XCTAssertEqual(try PublicKey(pem: group.publicKeyPem).bytes, try bytes(group.publicKey.pk))
            for test in group.tests {
                let isAccepted = try accepts(test.sig, over: test.msg, by: group.publicKey.pk)
                XCTAssertEqual(isAccepted, test.result == "valid", "tcId \(test.tcId)")
                agreed += isAccepted == (test.result == "valid") ? 1 : 0
            }
        }
        XCTAssertEqual(agreed, 151)
    }

    func testRFC8032Section7() throws {
        struct Case: Decodable {
            let name: String
            let seed: String
            let `public`: String
            let message: String
            let signature: String
        }
        for test in try Vectors.decode([Case].self, "ed25519", "rfc8032_section7.1.json") {
            XCTAssertTrue(try accepts(test.signature, over: test.message, by: test.public), test.name)
            let signer = try OpenSSLSigner(seed: try bytes(test.seed))
            XCTAssertEqual(Hex.encode(signer.publicKey.bytes), test.public, test.name)
            XCTAssertEqual(Hex.encode(try signer.sign(try bytes(test.message))), test.signature, test.name)
        }
    }

    func testSpeccheck() throws {
        struct Case: Decodable {
            let message: String
            let publicKey: String
            let signature: String

            enum CodingKeys: String, CodingKey {
                case message, signature
                case publicKey = "pub_key"
            }
        }
        let cases = try Vectors.decode([Case].self, "ed25519", "speccheck_cases.json")
        let weakKeys = cases.indices.filter { PublicKey(bytes: Hex.decode(cases[$0].publicKey) ?? []) == nil }
        XCTAssertEqual(weakKeys, [0, 1, 10, 11], "keys of low order or not canonical are refused when loaded")
        let accepted = try cases.indices.filter {
            try accepts(cases[$0].signature, over: cases[$0].message, by: cases[$0].publicKey)
        }
        XCTAssertEqual(accepted, [2, 3], "what is left is what RFC 8032 allows: only the key's owner can make those")
    }

    func testEveryLowOrderEncodingIsRefusedWhenLoaded() throws {
        let text = String(decoding: try Vectors.bytes("ed25519", "cctv_README.md"), as: UTF8.self)
        let encodings = Set(text.split(whereSeparator: { !$0.isHexDigit }).filter { $0.count == 64 })
        XCTAssertEqual(encodings.count, 14)
        for encoding in encodings { XCTAssertNil(PublicKey(bytes: try bytes(String(encoding))), String(encoding)) }
    }

    func testRFC8037JWS() throws {
        struct File: Decodable {
            struct Key: Decodable {
                let d: String
                let x: String
            }
            let key: Key
            let compact: String

            enum CodingKeys: String, CodingKey {
                case compact
                case key = "jwk_private"
            }
        }
        let file = try Vectors.decode(File.self, "ed25519", "rfc8037_jws.json")
        let parts = file.compact.split(separator: ".")
        XCTAssertEqual(parts.count, 3)
        let signature = try Vectors.base64url(parts[2])
        let message = Array((parts[0] + "." + parts[1]).utf8)
        let key = try XCTUnwrap(PublicKey(bytes: try Vectors.base64url(file.key.x[...])))
        XCTAssertTrue(try OpenSSLVerifier().isValid(signature, over: message, by: key))
        let signer = try OpenSSLSigner(seed: try Vectors.base64url(file.key.d[...]))
        XCTAssertEqual(signer.publicKey, key)
        XCTAssertEqual(try signer.sign(message), signature)
    }
}
