import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// Ciphers, digests, random sources and compressors with one fault each.
final class CryptoMutantTests: XCTestCase {
    func testCiphers() async {
        let faults: [(MutantCipher.Fault, Set<String>)] = [
            (.fixedNonce, ["never_repeats_a_nonce"]),
            (.ignoresBinding, ["refuses_every_change"]),
            (.showsPlaintext, ["shows_nothing_of_the_plaintext"]),
            (.addsAByte, ["adds_28_bytes"]),
            (.saysLibraryFailure, ["refuses_every_change", "refuses_every_length"]),
            (.toleratesMore, ["refuses_every_length"]),
            (.losesWholeBlocks, ["opens_what_it_sealed"]),
        ]
        for (fault, names) in faults {
            let broken = await Conformance.payloadCipher.run { MutantCipher(fault: fault) }
            XCTAssertEqual(Set(broken.map(\.check)), names, "\(fault)")
        }
    }

    func testDigests() async {
        struct Mutant: Digest {
            let hash: @Sendable ([UInt8]) -> [UInt8]
            let code: @Sendable ([UInt8], SymmetricKey) -> [UInt8]
            func sha256(_ bytes: [UInt8]) -> [UInt8] { hash(bytes) }
            func hmacSHA256(_ bytes: [UInt8], key: SymmetricKey) -> [UInt8] { code(bytes, key) }
        }
        let good = SoftwareDigest()
        let first = await Conformance.digest.run {
            Mutant(hash: { good.sha256(Array($0.prefix(100))) }, code: { good.hmacSHA256($0, key: $1) })
        }
        XCTAssertEqual(first.map(\.check), ["hashes_as_the_standard_says"])
        let second = await Conformance.digest.run {
            Mutant(hash: { good.sha256($0) }, code: { good.sha256($1.bytes + $0) })
        }
        XCTAssertEqual(second.map(\.check), ["authenticates_as_the_standard_says"])
    }

    func testRandomSources() async {
        struct Mutant: RandomSource {
            var seeded = SeededRandom(seed: 3)
            let bytes: @Sendable (SeededRandom, Int) -> [UInt8]
            let number: @Sendable (SeededRandom) -> UInt64
            func bytes(_ count: Int) -> [UInt8] { bytes(seeded, count) }
            func next() -> UInt64 { number(seeded) }
        }
        let few = await Conformance.randomSource.run {
            Mutant(bytes: { Array($0.bytes($1).prefix(64)) }, number: { $0.next() })
        }
        XCTAssertEqual(few.map(\.check), ["gives_as_many_as_asked", "uses_the_whole_range"])
        let constant = await Conformance.randomSource.run {
            Mutant(bytes: { _, count in [UInt8](repeating: 4, count: max(count, 0)) }, number: { _ in 4 })
        }
        XCTAssertEqual(constant.map(\.check), ["does_not_repeat", "uses_the_whole_range", "draws_from_many_threads"])
        let narrow = await Conformance.randomSource.run {
            Mutant(bytes: { $0.bytes($1).map { $0 & 0x7f } }, number: { $0.next() })
        }
        XCTAssertEqual(narrow.map(\.check), ["uses_the_whole_range"])
    }

    func testCompressors() async {
        struct Mutant: Compressor {
            let pack: @Sendable ([UInt8]) -> [UInt8]
            func gzip(_ bytes: [UInt8]) -> [UInt8] { pack(bytes) }
        }
        let good = StoredCompressor()
        let counter = SeededRandom(seed: 5)
        let faults: [(@Sendable ([UInt8]) -> [UInt8], Set<String>)] = [
            ({ good.gzip(Array($0.prefix(90_000))) }, ["comes_back_whole", "is_one_gzip_member"]),
            ({ $0 }, ["comes_back_whole", "is_one_gzip_member", "packs_many_at_once"]),
            (
                { good.gzip($0) + [UInt8](repeating: 0, count: 200) },
                ["comes_back_whole", "is_one_gzip_member", "hardly_ever_grows", "packs_many_at_once"]
            ),
            (
                { bytes in
                    var member = good.gzip(bytes)
                    member.replaceSubrange(4..<8, with: counter.bytes(4))
                    return member
                }, ["says_the_same_each_time"]
            ),
        ]
        for (index, (pack, names)) in faults.enumerated() {
            let broken = await Conformance.compressor.run {
                Conformance.CompressorSubject(Mutant(pack: pack)) { member in
                    // The time stamp, bytes 4 to 7, says nothing of what is packed.
                    guard member.count > 8 else { return nil }
                    return good.unpack(Array(member.prefix(4)) + [0, 0, 0, 0] + Array(member.dropFirst(8)))
                }
            }
            XCTAssertEqual(Set(broken.map(\.check)), names, "fault \(index)")
        }
    }
}

/// A toy cipher with a fault.
private struct MutantCipher: PayloadCipher {
    enum Fault: Sendable {
        case fixedNonce, ignoresBinding, showsPlaintext, addsAByte, saysLibraryFailure, toleratesMore, losesWholeBlocks
    }

    let fault: Fault
    private static let good = ToyCipher()

    init(fault: Fault) { self.fault = fault }

    func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8] {
        switch fault {
        case .fixedNonce:
            return ToyCipher(random: SeededRandom(seed: 1)).seal(plaintext, with: key, binding: associatedData)
        case .ignoresBinding: return Self.good.seal(plaintext, with: key, binding: [])
        case .showsPlaintext:
            // Authenticated, and in clear.
            return Self.good.seal([], with: key, binding: associatedData + plaintext) + plaintext
        case .addsAByte: return [7] + Self.good.seal(plaintext, with: key, binding: associatedData)
        case .saysLibraryFailure, .toleratesMore, .losesWholeBlocks:
            return Self.good.seal(plaintext, with: key, binding: associatedData)
        }
    }

    func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) throws -> [UInt8] {
        switch fault {
        case .fixedNonce: return try Self.good.open(sealed, with: key, binding: associatedData)
        case .ignoresBinding: return try Self.good.open(sealed, with: key, binding: [])
        case .showsPlaintext:
            guard sealed.count >= 28 else { throw CryptoError(.notAuthentic) }
            let plaintext = Array(sealed.dropFirst(28))
            _ = try Self.good.open(Array(sealed.prefix(28)), with: key, binding: associatedData + plaintext)
            return plaintext
        case .addsAByte:
            guard sealed.first == 7 else { throw CryptoError(.notAuthentic) }
            return try Self.good.open(Array(sealed.dropFirst()), with: key, binding: associatedData)
        case .saysLibraryFailure:
            do { return try Self.good.open(sealed, with: key, binding: associatedData) } catch {
                throw CryptoError(.libraryFailure)
            }
        case .toleratesMore:
            do { return try Self.good.open(sealed, with: key, binding: associatedData) } catch {
                return try Self.good.open(Array(sealed.dropLast()), with: key, binding: associatedData)
            }
        case .losesWholeBlocks:
            let plaintext = try Self.good.open(sealed, with: key, binding: associatedData)
            return plaintext.count == 16 ? [] : plaintext
        }
    }
}
