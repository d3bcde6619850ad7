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
