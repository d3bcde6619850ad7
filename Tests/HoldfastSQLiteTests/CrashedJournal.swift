import Foundation
import HoldfastDomain
import XCTest

@testable import HoldfastSQLite

/// A journal's file and its log as a crash leaves them, to be damaged.
struct CrashedJournal {
    let file: Data
    var log: [UInt8]

    /// What lies on the disk while `path` is open.
    init(of path: String) throws {
        file = try Data(contentsOf: URL(fileURLWithPath: path))
        log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    }

    /// The journal of a process that was killed after so many appends of one entry each.
    static func after(_ appends: Int, checkpointed: Int = 0) async throws -> CrashedJournal {
        let folder = try TemporaryFolder()
        let store = try SQLiteQueueStore(path: folder.path(), diagnostics: Collector())
        for number in 1...appends {
            _ = try await store.append([draft(number)], durability: .processDeath)
            guard number == checkpointed else { continue }
            let other = try Connection(path: folder.path())
            // Before it has read anything, it does not know that there is a log.
            try other.run(.streams)
            try other.checkpoint()
        }
        return try CrashedJournal(of: folder.path())
    }

    static func draft(_ number: Int) -> Draft {
        .number(number, subject: UInt8(truncatingIfNeeded: number), version: Int64(number))
    }

    /// Puts them where they can be opened.
    func write() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try file.write(to: URL(fileURLWithPath: folder.path()))
        try Data(log).write(to: URL(fileURLWithPath: folder.path("journal.sqlite-wal")))
        return folder
    }

    // MARK: Frames

    static let frameSize = 24 + Pages.size

    var frames: Int { (log.count - LogWalk.headerSize) / Self.frameSize }

    /// Where a frame begins; the first is 0.
    static func offset(_ frame: Int) -> Int { LogWalk.headerSize + frame * frameSize }

    func isCommit(_ frame: Int) -> Bool {
        log[Self.offset(frame)..<Self.offset(frame) + 8].suffix(4).contains { $0 != 0 }
    }

    func page(_ frame: Int) -> Int { Int(UInt32(bigEndian: log[Self.offset(frame)..<Self.offset(frame) + 4])) }

    /// The frames with which transactions end.
    var commits: [Int] { (0..<frames).filter(isCommit) }

    mutating func flip(_ bit: Int = 0, at offset: Int) { log[offset] ^= 1 << bit }

    /// Damages the page of a frame.
    mutating func flip(frame: Int) { flip(at: Self.offset(frame) + 24 + 3000) }

    /// Overwrites a frame with nothing.
    mutating func zero(frame: Int) {
        let start = Self.offset(frame)
        log.replaceSubrange(start..<start + Self.frameSize, with: repeatElement(0, count: Self.frameSize))
    }

    /// What a walk says of the log: which frames are proven, and whether commits are cut off.
    func walk() -> (proven: [Int], isCutOff: Bool) {
        var walk = LogWalk(header: Array(log.prefix(LogWalk.headerSize)), pageSize: Pages.size)
        var proven: [Int] = []
        for frame in 0..<max(0, frames) {
            let start = Self.offset(frame)
            if walk.take(Array(log[start..<start + walk.frameSize])) { proven.append(frame) }
        }
        return (proven, walk.isCutOff)
    }
}
