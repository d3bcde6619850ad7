import HoldfastConformance
import HoldfastOpenSSL
import XCTest

final class ConformanceTests: XCTestCase {
    func testVerifier() async {
        let broken = await Conformance.signatureVerifier.run { try OpenSSLVerifier() }
        XCTAssertEqual(broken, [])
    }

    func testCipher() async {
        let broken = await Conformance.payloadCipher.run { try OpenSSLCipher() }
        XCTAssertEqual(broken, [])
    }

    func testCipherIsAESGCM() async {
        let broken = await Conformance.payloadCipherExchange.run { try OpenSSLCipher() }
        XCTAssertEqual(broken, [])
    }

    func testDigest() async {
        let broken = await Conformance.digest.run { try OpenSSLDigest() }
        XCTAssertEqual(broken, [])
    }

    func testRandom() async {
        let broken = await Conformance.randomSource.run { OpenSSLRandom() }
        XCTAssertEqual(broken, [])
    }
}
