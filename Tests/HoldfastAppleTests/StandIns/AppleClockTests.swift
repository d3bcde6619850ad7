#if canImport(AppleDevice)
@_spi(StandIn) import AppleFoundation
import HoldfastApple
import HoldfastConformance
import HoldfastDomain
import XCTest

final class AppleClockTests: XCTestCase {
    func testKeepsThePromisesOfAClock() async {
        let broken = await Conformance.deviceClock.run {
            .init(AppleClock()) { try await Task.sleep(nanoseconds: UInt64($0.milliseconds) * 1_000_000) }
        }
        XCTAssertEqual(broken, [])
    }

    func testABootIsTheSameForEveryProcessAndAnotherAfterARestart() {
        let before = AppleClock().now().boot
        XCTAssertEqual(AppleClock().now().boot, before)
        let answers = StandInKernel.current.answers
        defer { StandInKernel.current.answers = answers }
        StandInKernel.current.answers["kern.bootsessionuuid"] = "another"
        XCTAssertEqual(AppleClock().now().boot, BootID("another"))
        StandInKernel.current.answers = [:]
        XCTAssertNotEqual(AppleClock().now().boot, AppleClock().now().boot, "not told: no two are taken for the same")
    }
}
#endif
