import HoldfastDomain

/// A journal's file that was found damaged. It is moved aside, never deleted and never overwritten, and another
/// takes its place with all that could still be read.
///
/// After a crash at any instruction, either the damaged file is still in its place and will be found damaged again,
/// or the new one is complete under its second name, and whoever opens the path next puts it in place.
struct DamagedFile {
    let path: String

    /// The new file while it is being filled, and once it is complete.
    private var filling: String { path + "-salvaging" }
    /// A copy of the damaged file that can be read better than itself.
    private var graft: String { path + "-graft" }
    private var complete: String { path + "-salvaged" }

    private static let sideFiles = ["-wal", "-shm"]

    /// Before a path is opened, while the directory is locked: finishes what a crash has interrupted.
    ///
    /// A write-ahead log without its file is moved aside too: SQLite would replay it into the next one.
    static func finishReplacing(_ path: String) throws {
        let file = DamagedFile(path: path)
        guard !FileSystem.exists(path) else { return }
        if sideFiles.contains(where: { FileSystem.exists(path + $0) }) {
            try file.moveSideFiles(to: try file.reserveName())
        }
        try FileSystem.move(file.complete, to: path)
        try FileSystem.syncDirectory(of: path)
    }

    /// Makes the new file, lets `fill` write it, and puts it in the damaged one's place. Only while the directory is
    /// locked and no connection of this process has the file open.
    func replace<Value>(_ fill: (_ target: String, _ graft: String) throws -> Value) throws -> Value {
        try removeNewFiles()
        do {
            try FileSystem.create(filling)
            let value = try fill(filling, graft)
            for side in Self.sideFiles { try FileSystem.remove(filling + side) }
            try removeGraft()
            try FileSystem.move(filling, to: complete)
            try FileSystem.syncDirectory(of: path)
            let aside = try reserveName()
            try FileSystem.move(path, to: aside)
            try moveSideFiles(to: aside)
            try FileSystem.move(complete, to: path)
            try FileSystem.syncDirectory(of: path)
            return value
        } catch {
            // Space may be what was wanting. If this fails too, the next attempt does it; the first error matters.
            if FileSystem.exists(path) { try? removeNewFiles() }
            throw error
        }
    }

    private func removeNewFiles() throws {
        for name in [complete, filling] + Self.sideFiles.map({ filling + $0 }) { try FileSystem.remove(name) }
        try removeGraft()
    }

    private func removeGraft() throws {
        for name in [graft] + Self.sideFiles.map({ graft + $0 }) { try FileSystem.remove(name) }
    }

    private func moveSideFiles(to aside: String) throws {
        for side in Self.sideFiles { try FileSystem.move(path + side, to: aside + side) }
    }

    /// A name that nothing has, such as `journal.sqlite.damaged-3`. An empty file holds it until it is moved over.
    private func reserveName() throws -> String {
        for number in 1...Int32.max {
            let name = "\(path).damaged-\(number)"
            guard !([""] + Self.sideFiles).contains(where: { FileSystem.exists(name + $0) }) else { continue }
            try FileSystem.create(name)
            return name
        }
        throw QueueStoreError(.cannotOpen)
    }
}
