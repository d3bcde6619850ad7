import HoldfastDomain
import XCTest

final class PresenceFilterTests: XCTestCase {
    private func seconds(_ milliseconds: Int64) -> Interval { .milliseconds(milliseconds) }

    func testACodeStaysInViewWhileItIsSeen() {
        var filter = PresenceFilter<Int>(gap: .seconds(3))
        XCTAssertNil(filter.decision(on: CodeText([1]), at: .zero))
        filter.remember(7, on: CodeText([1]), at: .zero)
        for step in 1...20 { XCTAssertEqual(filter.decision(on: CodeText([1]), at: seconds(Int64(step) * 2999)), 7) }
        XCTAssertNil(filter.decision(on: CodeText([1]), at: seconds(20 * 2999 + 3000)), "out of view for the whole gap")
    }

    func testTheGapIsExclusive() {
        var filter = PresenceFilter<Int>(gap: .seconds(3))
        filter.remember(7, on: CodeText([1]), at: .seconds(10))
        XCTAssertEqual(filter.decision(on: CodeText([1]), at: seconds(12_999)), 7)
        filter.remember(7, on: CodeText([2]), at: .seconds(10))
        XCTAssertNil(filter.decision(on: CodeText([2]), at: seconds(13_000)))
    }

    func testAnotherCodeIsNewAtOnce() {
        var filter = PresenceFilter<Int>(gap: .seconds(3))
        filter.remember(7, on: CodeText([1]), at: .zero)
        XCTAssertNil(filter.decision(on: CodeText([2]), at: .zero))
        XCTAssertEqual(
            filter.decision(on: CodeText([1]), at: .zero),
            7,
            "two phones side by side do not disturb one another"
        )
    }

    func testSightingsMayComeOutOfOrder() {
        var filter = PresenceFilter<Int>(gap: .seconds(3))
        filter.remember(7, on: CodeText([1]), at: .seconds(10))
        XCTAssertEqual(filter.decision(on: CodeText([1]), at: .seconds(9)), 7)
        XCTAssertEqual(filter.decision(on: CodeText([1]), at: seconds(12_999)), 7, "the later sighting counts")
    }

    func testACodeInViewIsKeptHoweverManyPassBy() {
        var filter = PresenceFilter<Int>(gap: .hours(1))
        filter.remember(-1, on: CodeText([1]), at: .zero)
        for index in 0..<1000 {
            filter.remember(index, on: CodeText(Array("\(index)".utf8)), at: seconds(Int64(index)))
            XCTAssertEqual(filter.decision(on: CodeText([1]), at: seconds(Int64(index))), -1)
        }
    }

    func testMemoryIsBounded() {
        var filter = PresenceFilter<Int>(gap: .hours(1))
        for index in 0..<1000 {
            filter.remember(index, on: CodeText(Array("\(index)".utf8)), at: seconds(Int64(index)))
        }
        let kept = (0..<1000).filter {
            var look = filter
            return look.decision(on: CodeText(Array("\($0)".utf8)), at: seconds(1000)) != nil
        }
        let capacity = PresenceFilter<Int>.capacity
        XCTAssertEqual(kept.suffix(capacity), Array((1000 - capacity)..<1000), "the newest are kept")
        XCTAssertLessThanOrEqual(kept.count, 2 * capacity)
        let long = [UInt8](repeating: 65, count: PresenceFilter<Int>.longestText + 1)
        filter.remember(1, on: CodeText(long), at: seconds(1000))
        XCTAssertNil(filter.decision(on: CodeText(long), at: seconds(1000)))
    }

    func testItCanBeOffAndCanForget() {
        var off = PresenceFilter<Int>(gap: .zero)
        off.remember(7, on: CodeText([1]), at: .zero)
        XCTAssertNil(off.decision(on: CodeText([1]), at: .zero))
        var filter = PresenceFilter<Int>(gap: .seconds(3))
        filter.remember(7, on: CodeText([1]), at: .zero)
        filter.forgetAll()
        XCTAssertNil(filter.decision(on: CodeText([1]), at: .zero))
    }
}
