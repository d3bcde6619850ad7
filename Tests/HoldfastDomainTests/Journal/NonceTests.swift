import HoldfastDomain
import HoldfastInMemory
import XCTest

#if canImport(HoldfastOpenSSL)
import HoldfastOpenSSL

/// S30: no nonce is used twice, whatever restarts and rotates.
final class NonceTests: XCTestCase {
    func testTenThousandNoncesAreDistinctAcrossRestartsRotationsAndInstances() async throws {
        let vault = InMemoryKeyVault()
        let id = EntryID(high: 1, low: 2)
        var nonces: Set<[UInt8]> = []
        var sealed = 0
        for round in 0..<10 {
            let rings = (0..<2).map { _ in KeyRing(stream: .telemetry, vault: vault, random: OpenSSLRandom()) }
            if round % 3 == 2 { _ = try await rings[0].rotate() }
            for ring in rings {
                let sealer = Sealer(stream: .telemetry, ring: ring, cipher: try OpenSSLCipher())
                let key = try await ring.current()
                for _ in 0..<500 {
                    let bytes = try sealer.seal(Array("the same event".utf8), id: id, with: key)
                    nonces.insert(Array(bytes.prefix(12)))
                    sealed += 1
                }
            }
        }
        XCTAssertEqual(nonces.count, sealed)
    }
}
#endif
