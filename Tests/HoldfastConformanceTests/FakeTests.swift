import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// The fakes keep the promises of their ports, but for those that their names give away.
final class FakeTests: XCTestCase {
    func testKeyVault() async {
        let broken = await Conformance.keyVault.run {
            let vault = InMemoryKeyVault()
            return Conformance.VaultSubject(vault, reopen: { vault }, makeUnavailable: { vault.lock() })
        }
        XCTAssertEqual(broken, [])
    }

    func testClock() async {
        let broken = await Conformance.deviceClock.run {
            let clock = ManualClock()
            return Conformance.ClockSubject(clock) { clock.advance(by: $0) }
        }
        XCTAssertEqual(broken, [])
    }

    func testCalendar() async {
        let broken = await Conformance.civilCalendar.run { FixedCalendar() }
        XCTAssertEqual(broken, [])
        let unknowing = await Conformance.civilCalendarZones.run { FixedCalendar(["Europe/Kyiv": .hours(2)]) }
        XCTAssertEqual(unknowing.map(\.check), ["follows_daylight_saving"])
    }

    func testConnectivity() async {
        let broken = await Conformance.connectivity.run {
            let network = SwitchableConnectivity()
            return Conformance.StatusSubject(network) { network.set(reachable: !network.current().isReachable) }
        }
        XCTAssertEqual(broken, [])
    }

    func testPower() async {
        let broken = await Conformance.powerMonitor.run {
            let power = SwitchablePower()
            return Conformance.StatusSubject(power) { power.set(PowerStatus(isLowPower: !power.current().isLowPower)) }
        }
        XCTAssertEqual(broken, [])
    }

    func testCipher() async {
        let broken = await Conformance.payloadCipher.run { ToyCipher() }
        XCTAssertEqual(broken, [])
        let foreign = await Conformance.payloadCipherExchange.run { ToyCipher() }
        XCTAssertEqual(foreign.map(\.check), ["opens_what_others_sealed"])
    }

    func testVerifier() async {
        let foreign = await Conformance.signatureVerifier.run { ToyVerifier() }
        XCTAssertEqual(foreign.map(\.check), ["accepts_known_signatures", "answers_many_at_once"])
    }

    func testDigest() async {
        let broken = await Conformance.digest.run { SoftwareDigest() }
        XCTAssertEqual(broken, [])
    }

    func testRandom() async {
        let broken = await Conformance.randomSource.run { SeededRandom(seed: 7) }
        XCTAssertEqual(broken, [])
    }

    func testCompressor() async {
        let broken = await Conformance.compressor.run {
            Conformance.CompressorSubject(StoredCompressor()) { StoredCompressor().unpack($0) }
        }
        XCTAssertEqual(broken, [])
    }

    func testDiagnostics() async {
        let broken = await Conformance.diagnosticSink.run {
            let sink = CollectingDiagnostics()
            return Conformance.DiagnosticSubject(sink) { sink.events.count }
        }
        XCTAssertEqual(broken, [])
    }

    func testTokens() async {
        let broken = await Conformance.accessTokenProvider.run { ScriptedTokenProvider("a", fresh: ["b", "c"]) }
        XCTAssertEqual(broken, [])
    }

    func testBatches() async {
        let broken = await Conformance.batchSender.run {
            Conformance.BatchSubject(ScriptedBatchSender(), records: [Self.record])
        }
        XCTAssertEqual(broken, [])
    }

    static let record = GateRecord(
        scanID: EntryID(high: 1, low: 2),
        place: GatePlace(event: "EV1", zone: "GA", gate: "north"),
        at: ManualClock().now()
    )
}
