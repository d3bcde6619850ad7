import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// The parts that decide, without a file.
final class DecisionTests: XCTestCase {
    // MARK: TimeOrder

    func testStoppingEarlyNeverMissesAnAgedEntry() {
        var generator = SplitMix(state: 7)
        for _ in 0..<300 {
            var order = TimeOrder()
            var times: [Int64] = []
            var clock: Int64 = 1_000_000_000
            for sequence in 1...40 as ClosedRange<Int64> {
                // Mostly onwards, sometimes a little back, seldom far.
                switch generator.next() % 12 {
                case 0: clock -= Int64(generator.next() % 90_000)
                case 1: clock -= Int64(generator.next() % 10_000_000)
                case 2: clock += Int64(generator.next() % 10_000_000)
                default: clock += Int64(generator.next() % 5000)
                }
                times.append(clock)
                order.append(Timestamp(milliseconds: clock), sequence: sequence)
            }
            let age = Interval(milliseconds: Int64(generator.next() % 3_000_000))
            let now = Timestamp(milliseconds: clock + Int64(generator.next() % 3_000_000))
            for (index, time) in times.enumerated() {
                let isYoung = order.isYoungFromHere(
                    Timestamp(milliseconds: time),
                    sequence: Int64(index + 1),
                    age: age,
                    now: now
                )
                let hasAged = times[index...].contains { Timestamp(milliseconds: $0) + age <= now }
                XCTAssertFalse(isYoung && hasAged)
            }
        }
    }

    func testAStreamInOrderIsLookedThroughNoFurtherThanItsHead() {
        var order = TimeOrder()
        for sequence in 1...1000 as ClosedRange<Int64> {
            // Two threads, some milliseconds apart.
            order.append(Timestamp(milliseconds: sequence * 100 + (sequence % 2) * 300), sequence: sequence)
        }
        XCTAssertEqual(order.ascendingFrom, 0)
        let head = Timestamp(milliseconds: 400)
        let now = head + .hours(1)
        XCTAssert(order.isYoungFromHere(head, sequence: 1, age: .hours(2), now: now))
        XCTAssertFalse(order.isYoungFromHere(head, sequence: 1, age: .hours(1), now: now))
    }

    func testTimesAtTheEndsOfTheRangeDoNotTrap() {
        var order = TimeOrder()
        for (index, time) in [Timestamp.distantFuture, .distantPast, .distantFuture, .distantPast].enumerated() {
            order.append(time, sequence: Int64(index + 1))
            _ = order.isYoungFromHere(
                time,
                sequence: Int64(index + 1),
                age: .init(milliseconds: .max),
                now: .distantPast
            )
        }
        XCTAssertEqual(order.ascendingFrom, 4)
    }

    // MARK: KeyCounts

    func testKeysAreCountedAndComeBackFromTheirBytes() throws {
        var counts = KeyCounts()
        for (count, key) in [(3, 1), (2, 7), (-1, 1), (-2, 7), (-5, 9), (1, UInt32.max)] as [(Int64, UInt32)] {
            counts.add(count, of: KeyID(key))
        }
        let stored = try KeyCounts(stored: counts.bytes)
        XCTAssertEqual(stored.pairs.map(\.key), [KeyID(1), KeyID(.max)])
        XCTAssertEqual(stored.pairs.map(\.count), [2, 1])
        counts.add(.max, of: KeyID(1))
        counts.add(.min, of: KeyID(1))
        XCTAssertEqual(counts.pairs.map(\.key), [KeyID(.max)])
        for bytes in [[1], [UInt8](repeating: 0, count: 12), [UInt8](repeating: 0xff, count: 12)] {
            XCTAssertThrowsError(try KeyCounts(stored: bytes))
        }
    }

    // MARK: EntryKey

    func testKeysOrderByStreamThenSequence() throws {
        let keys = [(1, 1), (1, EntryKey.largestSequence), (2, 1), (EntryKey.largestStream - 1, 5)].map {
            EntryKey(stream: $0.0, sequence: $0.1)
        }
        XCTAssertEqual(keys, keys.sorted())
        for key in keys { XCTAssertEqual(try EntryKey(stored: key.rawValue), key) }
        XCTAssertEqual(EntryKey(stream: 3, sequence: .max).sequence, EntryKey.largestSequence)
        XCTAssertEqual(EntryKey(stream: 3, sequence: .min).sequence, 0)
        XCTAssertGreaterThan(EntryKey(stream: .max, sequence: .max).rawValue, 0)
        for stored in [0, -1, 5, 1 << 40, .min] as [Int64] { XCTAssertThrowsError(try EntryKey(stored: stored)) }
    }

    // MARK: SequenceRuns

    func testRunsHoldWhatTheyWereMadeOfAndComeBackFromTheirBytes() throws {
        var generator = SplitMix(state: 11)
        for _ in 0..<300 {
            let last = EntryKey.largestSequence
            let near = [1...40, (last - 40)...last].randomElement(using: &generator) ?? 1...40
            let sequences = near.filter { _ in generator.next() % 4 != 0 }
            let runs = SequenceRuns(sequences)
            XCTAssertEqual(runs.ranges.flatMap { Array($0) }, sequences)
            XCTAssertEqual(near.filter(runs.contains), sequences)
            XCTAssertFalse(runs.contains(.min) || runs.contains(0) || runs.contains(.max))
            XCTAssertEqual(try SequenceRuns(bytes: runs.bytes), runs)
        }
        XCTAssertEqual(SequenceRuns(7...900).bytes.count, 16)
        XCTAssertEqual(SequenceRuns([]).bytes, [])
    }

    func testRunsThatNoLeaseHasAreDamage() {
        func bytes(_ numbers: Int64...) -> [UInt8] {
            numbers.map(\.bigEndian).withUnsafeBytes { Array($0) }
        }
        for bytes in [
            [1], bytes(1), bytes(1, 2, 3), bytes(2, 1), bytes(0, 1), bytes(-1, 1), bytes(.min, .max), bytes(1, .max),
            bytes(1, EntryKey.largestSequence + 1), bytes(1, 5, 5, 6), bytes(7, 9, 1, 2),
        ] {
            XCTAssertThrowsError(try SequenceRuns(bytes: bytes)) {
                XCTAssertEqual(($0 as? QueueStoreError)?.code, QueueStoreError.damagedValue.code)
            }
        }
    }

    // MARK: Holder

    func testAHolderThatIsGoneHoldsNothing() throws {
        let holder = Holder(token: "a")
        func lease(_ id: String, _ process: Int64, _ started: String) -> LeaseRow {
            LeaseRow(
                id: id,
                granted: Timestamp(milliseconds: 0),
                expires: Timestamp(milliseconds: 1),
                process: process,
                started: started,
                sequences: SequenceRuns([])
            )
        }
        XCTAssert(holder.lives(lease("a-1", holder.process, holder.started)))
        XCTAssertFalse(holder.lives(lease("b-1", holder.process, holder.started)), "an earlier store of this process")
        let parent = Int64(getppid())
        XCTAssert(holder.lives(lease("b-1", parent, "")), "when it started is unknown")
        #if os(Linux)
        XCTAssertFalse(holder.lives(lease("b-1", parent, "another start")), "a later process with its number")
        XCTAssertFalse(holder.started.isEmpty)
        #endif
        for process in [0, -1, .max, .min, 4_194_305] as [Int64] {
            XCTAssertFalse(holder.lives(lease("b-1", process, "")), "\(process)")
        }
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
