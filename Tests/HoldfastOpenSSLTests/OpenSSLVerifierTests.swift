import HoldfastDomain
import HoldfastOpenSSL
import XCTest

final class OpenSSLVerifierTests: XCTestCase {
    func testMoreKeysThanAreKept() throws {
        let verifier = try OpenSSLVerifier()
        let signers = try (0..<80).map { _ in try OpenSSLSigner() }
        for round in 0..<3 as Range<UInt8> {
            for signer in signers {
                let signature = try signer.sign([round])
                XCTAssertTrue(try verifier.isValid(signature, over: [round], by: signer.publicKey))
                XCTAssertFalse(try verifier.isValid(signature, over: [round, 0], by: signer.publicKey))
            }
        }
    }

    func testAKeyThatIsNoPointVerifiesNothing() throws {
        // y = 2 is no point of the curve: x² would have no root.
        let key = try XCTUnwrap(PublicKey(bytes: [2] + [UInt8](repeating: 0, count: 31)))
        let signature = [UInt8](repeating: 0, count: 64)
        XCTAssertFalse(try OpenSSLVerifier().isValid(signature, over: [], by: key))
    }
}
