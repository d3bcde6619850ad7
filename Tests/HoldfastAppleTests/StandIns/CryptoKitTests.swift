#if canImport(CryptoKit)
import HoldfastApple
import HoldfastConformance
import XCTest

final class CryptoKitTests: XCTestCase {
    func testVerifierKeepsItsPromises() async {
        let broken = await Conformance.signatureVerifier.run { CryptoKitVerifier() }
        XCTAssertEqual(broken, [])
    }

    func testCipherKeepsItsPromises() async {
        let broken = await Conformance.payloadCipher.run { CryptoKitCipher() }
        XCTAssertEqual(broken, [])
    }

    func testCipherOpensWhatOthersSealed() async {
        let broken = await Conformance.payloadCipherExchange.run { CryptoKitCipher() }
        XCTAssertEqual(broken, [])
    }

    func testDigestKeepsItsPromises() async {
        let broken = await Conformance.digest.run { CryptoKitDigest() }
        XCTAssertEqual(broken, [])
    }
}
#endif
