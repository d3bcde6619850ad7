import HoldfastConformance
import HoldfastLinux
import XCTest

final class SystemRandomTests: XCTestCase {
    func testKeepsThePromises() async {
        let broken = await Conformance.randomSource.run { SystemRandom() }
        XCTAssertEqual(broken, [])
    }
}
