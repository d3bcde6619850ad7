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
        let capacity = PresenceFilter<Int>.capacity
        let newest = Array((1000 - capacity)..<1000)
        XCTAssertEqual(kept(by: filter, of: 1000).suffix(capacity), newest)
        let longest = [UInt8](repeating: 65, count: PresenceFilter<Int>.longestText)
        filter.remember(1, on: CodeText(longest), at: seconds(1000))
        XCTAssertEqual(filter.decision(on: CodeText(longest), at: seconds(1000)), 1)
        let long = [UInt8](repeating: 65, count: PresenceFilter<Int>.longestText + 1)
        filter.remember(1, on: CodeText(long), at: seconds(1000))
        XCTAssertNil(filter.decision(on: CodeText(long), at: seconds(1000)))
    }

    func testNeverMoreThanTwiceTheCapacityAreRemembered() {
        var filter = PresenceFilter<Int>(gap: .hours(1))
        let most = (1...200).map { count in
            filter.remember(count, on: CodeText(Array("\(count - 1)".utf8)), at: .zero)
            return kept(by: filter, of: count).count
        }.max()
        XCTAssertEqual(most, 2 * PresenceFilter<Int>.capacity)
    }

    /// Which of the first `count` numbers a filter still knows as texts.
    private func kept(by filter: PresenceFilter<Int>, of count: Int) -> [Int] {
        (0..<count).filter {
            var look = filter
            return look.decision(on: CodeText(Array("\($0)".utf8)), at: .seconds(1)) != nil
        }
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
