import HoldfastDomain
import HoldfastInMemory
import XCTest

final class ToyTests: XCTestCase {
    private let key = SymmetricKey(random: SeededRandom(seed: 1))

    func testSHA256MatchesTheStandard() {
        // FIPS 180-4 examples: "", "abc", the 56-byte message, and a million letters a.
        let digest = SoftwareDigest()
        let cases: [([UInt8], String)] = [
            ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
        for (message, hash) in cases { XCTAssertEqual(Hex.encode(digest.sha256(message)), hash) }
        // Lengths around the padding's edge, all hashed once more: checked against Python's hashlib.
        let edges = (50...130).flatMap { digest.sha256([UInt8](repeating: 7, count: $0)) }
        XCTAssertEqual(
            Hex.encode(digest.sha256(edges)),
            "89f13b3f0c890d91f2b4cf30179ddb7294335c39d7f1b8fa6ef3e9ae2c684452"
        )
    }

    func testCipherTellsEveryChange() throws {
        let cipher = ToyCipher()
        let sealed = cipher.seal([1, 2, 3], with: key, binding: [4])
        XCTAssertEqual(sealed.count, 31)
        XCTAssertEqual(try cipher.open(sealed, with: key, binding: [4]), [1, 2, 3])
        XCTAssertThrowsError(try cipher.open(sealed, with: key, binding: [5]))
        XCTAssertThrowsError(try cipher.open(sealed, with: SymmetricKey(random: SeededRandom(seed: 2)), binding: [4]))
        for index in sealed.indices {
            var damaged = sealed
            damaged[index] ^= 1
            XCTAssertThrowsError(try cipher.open(damaged, with: key, binding: [4]), "byte \(index)")
            XCTAssertThrowsError(try cipher.open(Array(sealed.prefix(index)), with: key, binding: [4]))
        }
        XCTAssertNotEqual(cipher.seal([1, 2, 3], with: key, binding: [4]), sealed)
    }

    func testSignatureBelongsToMessageAndKey() {
        let signer = ToySigner(seed: 1)
        let signature = signer.sign([1, 2])
        XCTAssertEqual(signature.count, 64)
        XCTAssertTrue(ToyVerifier().isValid(signature, over: [1, 2], by: signer.publicKey))
        XCTAssertFalse(ToyVerifier().isValid(signature, over: [1, 3], by: signer.publicKey))
        XCTAssertFalse(ToyVerifier().isValid(signature, over: [1, 2], by: ToySigner(seed: 2).publicKey))
        XCTAssertFalse(ToyVerifier().isValid(Array(signature.dropLast()), over: [1, 2], by: signer.publicKey))
    }

    func testStoredGzipComesBack() {
        let compressor = StoredCompressor()
        for count in [0, 1, 65535, 65536, 200_000] {
            let bytes = SeededRandom(seed: UInt64(count)).bytes(count)
            XCTAssertEqual(compressor.unpack(compressor.gzip(bytes)), bytes)
        }
        // What `printf abc | gzip` must accept: the member for "abc", from RFC 1951 and RFC 1952 by hand.
        XCTAssertEqual(Hex.encode(compressor.gzip(Array("abc".utf8)).suffix(16)), "010300fcff616263c241243503000000")
        var damaged = compressor.gzip([1, 2, 3])
        damaged[16] ^= 1
        XCTAssertNil(compressor.unpack(damaged))
    }
}
