import XCTest

@testable import HoldfastDomain

/// How batches are cut and sized.
final class BatchRulesTests: XCTestCase {
    private func entry(_ payload: String, id: UInt64) -> OpenedEntry {
        let draft = Draft(
            id: EntryID(high: 0, low: id),
            stream: .telemetry,
            recordedAt: Timestamp(milliseconds: 0),
            keyID: KeyID(1),
            sealed: []
        )
        return OpenedEntry(entry: Entry(draft: draft, sequence: Int64(id)), payload: Array(payload.utf8))
    }

    private func cut(_ payloads: [String], limit: Int = 10, bytes: Int, framing: BatchFraming? = nil) -> BatchCut {
        let entries = payloads.enumerated().map { entry($1, id: UInt64($0)) }
        let delivery = ScriptedDelivery(framing: framing ?? BatchFraming(overhead: 2, separator: 1))
        return BatchCut(entries, limit: limit, maxBodyBytes: bytes, for: delivery)
    }

    func testABodyIsFullToTheByte() {
        // "[aaa,bb,c]" has 10 bytes.
        XCTAssertEqual(cut(["aaa", "bb", "c"], bytes: 10).batch.count, 3)
        XCTAssertEqual(cut(["aaa", "bb", "c"], bytes: 9).batch.count, 2)
        XCTAssertEqual(cut(["aaa", "bb", "c"], bytes: 8).batch.count, 2)
        XCTAssertEqual(cut(["aaa", "bb", "c"], bytes: 7).batch.count, 1)
        XCTAssertEqual(cut(["aaa", "bb", "c"], bytes: 5).batch.count, 1)
        XCTAssertEqual(cut([], bytes: 5).batch.count, 0)
        XCTAssertEqual(cut(["a", "b", "c"], limit: 2, bytes: 100).batch.count, 2)
    }

    func testWhatCanNeverBeSentIsSetAsideAndTheOthersGo() {
        let made = cut(["!no", "aaaa", "bb"], bytes: 5)
        XCTAssertEqual(made.batch.map(\.id.low), [2])
        XCTAssertEqual(made.outcomes[EntryID(high: 0, low: 0)], .deadLettered(.invalid, note: nil))
        XCTAssertEqual(made.outcomes[EntryID(high: 0, low: 1)], .deadLettered(.oversize, note: nil))
        XCTAssertEqual(cut(["aaaa", "!no"], bytes: 6).outcomes.count, 1)
    }

    func testNothingIsSetAsideBehindTheCut() {
        XCTAssertTrue(cut(["aaa", "aaa", "!no", "aaaaaaaaa"], bytes: 6).outcomes.isEmpty)
    }

    func testHugeSizesDoNotOverflow() {
        let vast = BatchFraming(overhead: .max, separator: .max)
        XCTAssertEqual(cut(["a"], bytes: 100, framing: vast).batch.count, 0)
        XCTAssertEqual(
            cut(["a", "b"], bytes: .max, framing: BatchFraming(overhead: 0, separator: .max)).batch.count,
            2
        )
    }

    func testABatchThatWasTooLargeIsHalvedUntilOneIsLeft() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        var limits: [Int] = []
        for _ in 0..<8 {
            limits.append(sizing.limit)
            sizing.tooLarge(sizing.limit)
        }
        XCTAssertEqual(limits, [100, 50, 25, 12, 6, 3, 1, 1])
    }

    func testTheHalvedCountGrowsAgainAfterARunOfSuccesses() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        sizing.tooLarge(40)
        for expected in [20, 40, 80, 100, 100] {
            XCTAssertEqual(sizing.limit, expected)
            for _ in 0..<8 { sizing.accepted(sizing.limit) }
        }
    }

    func testASmallBatchThatWasTooLargeIsHalvedByItsOwnCount() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        sizing.tooLarge(7)
        XCTAssertEqual(sizing.limit, 3)
    }

    func testTheThirdFaultInARowHalvesTheBatchAndSoDoesEachFurtherOne() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        var limits: [Int] = []
        var isStuck: [Bool] = []
        for _ in 0..<10 {
            limits.append(sizing.limit)
            isStuck.append(sizing.failed(sizing.limit, isSuspect: false))
        }
        XCTAssertEqual(limits, [100, 100, 100, 50, 25, 12, 6, 3, 1, 1])
        XCTAssertEqual(isStuck, [Bool](repeating: false, count: 8) + [true, true])
    }

    func testEachSuccessDoublesTheCountAgainAndGivesNewChances() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        for _ in 0..<20 { _ = sizing.failed(sizing.limit, isSuspect: false) }
        for expected in [1, 3, 6, 12, 25, 50, 100, 100] {
            XCTAssertEqual(sizing.limit, expected)
            sizing.accepted(sizing.limit)
        }
        for _ in 0..<5 {
            for _ in 0..<2 { XCTAssertFalse(sizing.failed(sizing.limit, isSuspect: false)) }
            XCTAssertEqual(sizing.limit, 100)
            sizing.accepted(100)
        }
    }

    func testABatchThatIsSmallAnywayIsHalvedByItsOwnCount() {
        for (sent, limit) in [(1, 1), (2, 1), (3, 1), (7, 3), (13, 6), (20, 6), (49, 12), (100, 50)] {
            var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
            for _ in 0..<3 { _ = sizing.failed(sent, isSuspect: false) }
            XCTAssertEqual(sizing.limit, limit, "\(sent)")
        }
        var single = BatchSizing(maxCount: 1, rejection: .setAside)
        XCTAssertEqual((0..<4).map { _ in single.failed(1, isSuspect: false) }, [false, false, true, true])
    }

    func testASuccessAfterTheFirstHalvingGivesAllChancesBack() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        for _ in 0..<3 { _ = sizing.failed(sizing.limit, isSuspect: false) }
        XCTAssertEqual(sizing.limit, 50)
        sizing.accepted(50)
        for _ in 0..<2 { _ = sizing.failed(sizing.limit, isSuspect: false) }
        XCTAssertEqual(sizing.limit, 100, "two failures in a row say nothing of what was sent")
    }

    func testWhatItFailedAtBeforeHasNoMoreChances() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        XCTAssertTrue(sizing.failed(1, isSuspect: true))
        XCTAssertEqual(sizing.limit, 100, "others need not go alone for its sake")
        XCTAssertFalse(sizing.failed(40, isSuspect: true))
        XCTAssertEqual(sizing.limit, 12)
    }

    func testARefusalIsNoFaultAndBothSearchesGetAlong() {
        var sizing = BatchSizing(maxCount: 100, rejection: .isolate(tries: 9))
        for _ in 0..<4 { _ = sizing.failed(sizing.limit, isSuspect: false) }
        XCTAssertEqual(sizing.limit, 25)
        XCTAssertEqual(sizing.refused(25), .narrow)
        XCTAssertEqual(sizing.limit, 12)
        sizing.tooLarge(12)
        XCTAssertEqual(sizing.limit, 6)
    }

    /// Wherever the entry is that the server fails at, few requests find it, and it alone.
    func testTheEntryThatTheServerFailsAtIsFoundWhereverItIs() {
        for count in [1, 2, 3, 5, 8, 31, 100] {
            for bad in 0..<count {
                var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
                var queue = Array(0..<count)
                var requests = 0
                while !queue.isEmpty, requests < 100 {
                    let batch = Array(queue.prefix(sizing.limit))
                    requests += 1
                    if !batch.contains(bad) {
                        sizing.accepted(batch.count)
                        queue.removeFirst(batch.count)
                    } else if sizing.failed(batch.count, isSuspect: false) {
                        XCTAssertEqual(batch, [bad])
                        queue.removeFirst()
                    }
                }
                XCTAssertLessThanOrEqual(requests, 32, "\(bad) of \(count)")
            }
        }
    }

    func testWithoutASearchEveryRefusedBatchIsSetAside() {
        var sizing = BatchSizing(maxCount: 100, rejection: .setAside)
        XCTAssertEqual(sizing.refused(100), .setAside)
        XCTAssertEqual(sizing.limit, 100)
    }

    /// Wherever the bad entry is, it is found in little more requests than the batch has doublings, and nothing else is lost.
    func testTheSearchFindsTheBadEntryWhereverItIs() {
        for count in [1, 2, 3, 5, 8, 31, 100] {
            for bad in 0..<count {
                var sizing = BatchSizing(maxCount: 100, rejection: .isolate(tries: 100))
                var queue = Array(0..<count)
                var requests = 0
                while queue.contains(bad), requests < 50 {
                    let batch = Array(queue.prefix(sizing.limit))
                    requests += 1
                    if !batch.contains(bad) {
                        sizing.accepted(batch.count)
                        queue.removeFirst(batch.count)
                    } else if sizing.refused(batch.count) == .setAside {
                        XCTAssertEqual(batch, [bad])
                        queue.removeFirst()
                    }
                }
                XCTAssertEqual(sizing.limit, 100)
                let doublings = count.bitWidth - (count - 1).leadingZeroBitCount
                XCTAssertLessThanOrEqual(requests, doublings + 2, "\(bad) of \(count)")
            }
        }
    }

    func testASearchThatFindsNothingEnds() {
        var sizing = BatchSizing(maxCount: 100, rejection: .isolate(tries: 16))
        XCTAssertEqual(sizing.refused(100), .narrow)
        for limit in [50, 25, 12, 6, 3, 2, 1, 1] {
            XCTAssertEqual(sizing.limit, limit)
            sizing.accepted(limit)
        }
        XCTAssertEqual(sizing.limit, 100)
    }

    func testWhenEverythingIsRefusedTheSearchEnds() {
        var sizing = BatchSizing(maxCount: 100, rejection: .isolate(tries: 3))
        XCTAssertEqual([100, 50, 25].map { sizing.refused($0) }, [.narrow, .narrow, .narrow])
        XCTAssertEqual(sizing.refused(12), .setAside)
        XCTAssertEqual(sizing.refused(100), .setAside)
        sizing.accepted(100)
        XCTAssertEqual(sizing.refused(100), .narrow)
    }

    func testOrEverythingIsHeldAndSearchedAnewLater() {
        var sizing = BatchSizing(maxCount: 100, rejection: .isolateOrHold(tries: 1))
        XCTAssertEqual([sizing.refused(100), sizing.refused(50)], [.narrow, .hold])
        XCTAssertEqual(sizing.limit, 100)
        XCTAssertEqual([sizing.refused(100), sizing.refused(50)], [.narrow, .hold])
    }
}
