import Foundation
import HoldfastDomain
import HoldfastOpenSSL
import XCTest

final class OpenSSLSignerTests: XCTestCase {
    func testSignsWhatTheVerifierAccepts() throws {
        let signer = try OpenSSLSigner()
        let signature = try signer.sign([1, 2, 3])
        XCTAssertTrue(try OpenSSLVerifier().isValid(signature, over: [1, 2, 3], by: signer.publicKey))
    }

    func testComesBackFromItsPEM() throws {
        let signer = try OpenSSLSigner()
        let pem = try signer.pem()
        XCTAssertTrue(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let copy = try OpenSSLSigner(pem: pem)
        XCTAssertEqual(copy.publicKey, signer.publicKey)
        XCTAssertEqual(try copy.sign([7]), try signer.sign([7]))
    }

    func testReadsTheKeyOfRFC8410() throws {
        // RFC 8410, section 10.3 and 10.1: a private key and its public half.
        let signer = try OpenSSLSigner(
            pem: """
                -----BEGIN PRIVATE KEY-----
                MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
                -----END PRIVATE KEY-----
                """
        )
        let key = try PublicKey(
            pem: """
                -----BEGIN PUBLIC KEY-----
                MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
                -----END PUBLIC KEY-----
                """
        )
        XCTAssertEqual(signer.publicKey, key)
    }

    func testRefusesWhatIsNoKeyOfItsKind() throws {
        let encrypted = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgQ7gkgeBBfLQICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJkxNl0JXAVyZb0OeVKOVk4EQN9j
            -----END ENCRYPTED PRIVATE KEY-----
            """
        // X25519: the same bytes under another algorithm (RFC 8410, section 3).
        let otherKind = """
            -----BEGIN PUBLIC KEY-----
            MCowBQYDK2VuAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
            -----END PUBLIC KEY-----
            """
        for text in ["", "no key", "-----BEGIN PRIVATE KEY-----\n", encrypted, otherKind] {
            XCTAssertThrowsError(try OpenSSLSigner(pem: text)) { XCTAssertTrue($0 is CryptoError) }
            XCTAssertThrowsError(try PublicKey(pem: text)) { XCTAssertTrue($0 is CryptoError) }
        }
        for count in [0, 31, 33] {
            XCTAssertThrowsError(try OpenSSLSigner(seed: [UInt8](repeating: 1, count: count)))
        }
    }

    func testShowsNothingOfItsSecret() throws {
        let signer = try OpenSSLSigner()
        XCTAssertEqual("\(signer)", "OpenSSLSigner")
        XCTAssertEqual(String(reflecting: signer), "OpenSSLSigner")
        var dumped = ""
        dump(signer, to: &dumped)
        XCTAssertFalse(dumped.contains("publicKey"))
    }
}
