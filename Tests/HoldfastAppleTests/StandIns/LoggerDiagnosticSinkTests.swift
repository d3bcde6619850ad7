#if canImport(AppleDevice)
import HoldfastApple
import HoldfastConformance
import HoldfastDomain
import XCTest
@_spi(StandIn) import os

final class LoggerDiagnosticSinkTests: XCTestCase {
    func testKeepsItsPromises() async {
        let broken = await Conformance.diagnosticSink.run {
            _ = StandInLog.current.drain()
            return .init(LoggerDiagnosticSink(subsystem: "org.example.app")) { StandInLog.current.drain().count }
        }
        XCTAssertEqual(broken, [])
    }

    func testALineHasTheNameAndTheNumbersForAllToRead() {
        _ = StandInLog.current.drain()
        let sink = LoggerDiagnosticSink(subsystem: "org.example.app")
        sink.record(DiagnosticEvent(.entriesDropped, count: 3))
        sink.record(DiagnosticEvent(.vaultUnavailable, platformCode: -25308))
        XCTAssertEqual(
            StandInLog.current.drain().map { "\($0.subsystem) \($0.category) \($0.level.rawValue) \($0.text)" },
            [
                "org.example.app holdfast 17 entries_dropped count=3",
                "org.example.app holdfast 16 vault_unavailable count=1 platform=-25308",
            ]
        )
    }
}
#endif
