import HoldfastConformance
import HoldfastDomain
import HoldfastOpenSSL
import XCTest

/// Verifiers with one fault each, which the check that is meant for it must find.
final class VerifierMutantTests: XCTestCase {
    private struct Mutant: SignatureVerifier {
        let answer: @Sendable ([UInt8], [UInt8], PublicKey) throws -> Bool
        func isValid(_ signature: [UInt8], over message: [UInt8], by key: PublicKey) throws -> Bool {
            try answer(signature, message, key)
        }
    }

    private func broken(_ answer: @escaping @Sendable ([UInt8], [UInt8], PublicKey) throws -> Bool) async -> [String] {
        await Conformance.signatureVerifier.run { Mutant(answer: answer) }.map(\.check)
    }

    func testEachFaultIsFound() async throws {
        let good = try OpenSSLVerifier()
        let refusing = await broken { _, _, _ in false }
        XCTAssertEqual(refusing, ["accepts_known_signatures", "answers_many_at_once"])
        let trusting = await broken { signature, _, _ in signature.count == 64 }
        XCTAssertEqual(trusting, ["refuses_every_change", "refuses_unreduced_scalars", "answers_many_at_once"])
        let longSighted = await broken { try good.isValid(Array($0.prefix(64)), over: $1, by: $2) }
        XCTAssertEqual(longSighted, ["wrong_length_is_false"])
        let throwing = await broken { signature, message, key in
            guard signature.count == 64 else { throw CryptoError(.libraryFailure) }
            return try good.isValid(signature, over: message, by: key)
        }
        XCTAssertEqual(throwing, ["wrong_length_is_false"])
        let lax = await broken { signature, message, key in
            let reduced = Array(signature.prefix(32)) + Self.reduced(signature.suffix(32))
            return try good.isValid(signature.count == 64 ? reduced : signature, over: message, by: key)
        }
        XCTAssertEqual(lax, ["refuses_unreduced_scalars"])
    }

    /// A little-endian scalar less the order of the group (RFC 8032, section 5.1), where it is not below it.
    private static func reduced(_ scalar: ArraySlice<UInt8>) -> [UInt8] {
        let order: [UInt8] =
            [0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14]
            + [UInt8](repeating: 0, count: 15) + [0x10]
        var borrow = 0
        let difference = zip(scalar, order).map { digit, part -> UInt8 in
            let value = Int(digit) - Int(part) - borrow
            borrow = value < 0 ? 1 : 0
            return UInt8(truncatingIfNeeded: value)
        }
        return borrow == 0 ? difference : Array(scalar)
    }
}
