import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// Finding commits after damage, in logs that SQLite has written.
final class LogWalkTests: XCTestCase {
    func testASoundLogIsWholeToItsEnd() async throws {
        let crashed = try await CrashedJournal.after(20)
        XCTAssertGreaterThan(crashed.commits.count, 20)
        let (proven, isCutOff) = crashed.walk()
        XCTAssertEqual(proven, Array(0..<crashed.frames))
        XCTAssertFalse(isCutOff)
    }

    func testALogThatEndsAnywhereIsNoDamage() async throws {
        let crashed = try await CrashedJournal.after(6)
        for frame in 0...crashed.frames {
            for extra in [0, 1, 8, 23, 24, 25, 2000, 4119] {
                var torn = crashed
                torn.log = Array(crashed.log.prefix(CrashedJournal.offset(frame) + extra))
                let (proven, isCutOff) = torn.walk()
                XCTAssertEqual(proven, Array(0..<min(frame, crashed.frames)))
                XCTAssertFalse(isCutOff)
                // The rest was made room for, but not written.
                torn.log += [UInt8](repeating: 0, count: crashed.log.count - torn.log.count)
                XCTAssertFalse(torn.walk().isCutOff, "frame \(frame), \(extra) bytes")
            }
        }
        for count in 0...LogWalk.headerSize {
            var walk = LogWalk(header: Array(crashed.log.prefix(count)), pageSize: Pages.size)
            XCTAssertFalse(walk.isCutOff)
            XCTAssertFalse(walk.take([UInt8](repeating: 0, count: walk.frameSize)))
            XCTAssertFalse(walk.isCutOff)
        }
    }

    func testABitAnywhereInAFrameCutsOffTheTransactionsBehindIt() async throws {
        let crashed = try await CrashedJournal.after(8)
        let commits = crashed.commits
        let last = try XCTUnwrap(commits.dropLast().last)
        // The number of the page, of the database's pages, the salts, the checksum; the page.
        for offset in [3, 7, 8, 12, 16, 20, 24, 24 + 2048, 24 + 4095] {
            for frame in 0..<crashed.frames {
                // This makes a frame the end of a transaction that it is not.
                if frame > last, offset == 7, !crashed.isCommit(frame) { continue }
                var damaged = crashed
                damaged.flip(7, at: CrashedJournal.offset(frame) + offset)
                let (proven, isCutOff) = damaged.walk()
                XCTAssertEqual(isCutOff, frame <= last, "frame \(frame) of \(crashed.frames), byte \(offset)")
                // A salt is not part of what the checksum is of.
                let isLost = !(8..<16).contains(offset)
                XCTAssertEqual(proven, (0..<crashed.frames).filter { $0 != frame || !isLost })
            }
        }
    }

    func testABitAnywhereInTheHeaderCutsOffEverything() async throws {
        let crashed = try await CrashedJournal.after(3)
        for bit in 0..<LogWalk.headerSize * 8 {
            var damaged = crashed
            damaged.flip(bit % 8, at: bit / 8)
            let (proven, isCutOff) = damaged.walk()
            XCTAssertTrue(isCutOff, "bit \(bit)")
            XCTAssertEqual(proven, Array(0..<crashed.frames), "bit \(bit)")
        }
    }

    func testAPartThatIsGoneCutsOffWhatLiesBehindIt() async throws {
        let crashed = try await CrashedJournal.after(12)
        let frames = crashed.frames
        for gone in [0..<1, 3..<5, 4..<9, 0..<6] {
            var damaged = crashed
            gone.forEach { damaged.zero(frame: $0) }
            let (proven, isCutOff) = damaged.walk()
            XCTAssertTrue(isCutOff, "\(gone)")
            // Of the frame behind it nothing bears the checksum that it goes on from.
            XCTAssertEqual(proven, (0..<frames).filter { $0 < gone.lowerBound || $0 > gone.upperBound }, "\(gone)")
        }
        var damaged = crashed
        damaged.log.replaceSubrange(0..<8192, with: repeatElement(0, count: 8192))
        let (proven, isCutOff) = damaged.walk()
        XCTAssertTrue(isCutOff, "the header too")
        XCTAssertEqual(proven, Array(3..<frames))
    }

    func testTheLastTransactionMayBeWrittenInAnyOrder() async throws {
        let crashed = try await CrashedJournal.after(9)
        let commits = crashed.commits
        let last = commits[commits.count - 2] + 1..<crashed.frames
        XCTAssertGreaterThan(last.count, 1)
        for frame in last {
            var torn = crashed
            torn.zero(frame: frame)
            XCTAssertFalse(torn.walk().isCutOff, "frame \(frame)")
        }
    }

    func testFramesOfAnEarlierLogAreNoDamage() async throws {
        for later in 1...12 {
            let crashed = try await CrashedJournal.after(12 + later, checkpointed: 12)
            let (proven, isCutOff) = crashed.walk()
            XCTAssertFalse(isCutOff, "\(later)")
            XCTAssertEqual(proven, Array(0..<proven.count))
            XCTAssertLessThan(proven.count, crashed.frames, "there are frames of the earlier one")
            XCTAssertEqual(crashed.commits.filter { $0 < proven.count }.count, later)
            var damaged = crashed
            damaged.flip(frame: 0)
            XCTAssertEqual(damaged.walk().isCutOff, later > 1, "\(later)")
            damaged = crashed
            damaged.flip(at: 17)
            XCTAssertTrue(damaged.walk().isCutOff, "\(later)")
            XCTAssertEqual(damaged.walk().proven, proven)
        }
    }

    func testATransactionThatNeverEndedIsNoDamage() async throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.path())
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA cache_size = 4; CREATE TABLE t (a)")
        let insert = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 80) \
            INSERT INTO t SELECT randomblob(1000) FROM n; UPDATE t SET a = randomblob(1000)
            """
        for isUndone in [false, true] {
            try connection.execute("BEGIN")
            // More than fits the cache, so it is written before the transaction ends; and pages twice.
            try connection.execute(insert)
            let during = try CrashedJournal(of: folder.path())
            XCTAssertGreaterThan(during.frames, (try XCTUnwrap(during.commits.last)) + 10)
            XCTAssertFalse(during.walk().isCutOff)
            try connection.execute("ROLLBACK")
            guard isUndone else { continue }
            try connection.execute("INSERT INTO t VALUES (1)")
            let after = try CrashedJournal(of: folder.path())
            XCTAssertFalse(after.walk().isCutOff)
            XCTAssertLessThan(after.walk().proven.count, after.frames)
        }
        // Where frames are written twice, so are the checksums of those behind them.
        try connection.execute("BEGIN; \(insert); COMMIT; INSERT INTO t VALUES (2)")
        let crashed = try CrashedJournal(of: folder.path())
        XCTAssertFalse(crashed.walk().isCutOff)
    }

    func testBytesOfAnyOtherKindAreNoDamage() {
        for byte in [UInt8(0), 1, 0x37, 0x7f, 0xff] {
            var walk = LogWalk(header: [UInt8](repeating: byte, count: LogWalk.headerSize), pageSize: Pages.size)
            let frame = [UInt8](repeating: byte, count: walk.frameSize)
            for _ in 1...5 { XCTAssertFalse(walk.take(frame), "\(byte)") }
            XCTAssertFalse(walk.isCutOff)
        }
    }

    func testTheSumsOfEitherOrderOfBytes() {
        let bytes: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]
        let sums = [true, false].map { isBigEndian in
            bytes.withUnsafeBytes { LogChecksum().adding($0, isBigEndian: isBigEndian).bytes }
        }
        XCTAssertEqual(sums, [[0, 0, 0, 7, 0, 0, 0, 14], [7, 0, 0, 0, 14, 0, 0, 0]])
    }
}
