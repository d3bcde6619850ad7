import Foundation

/// Reads and makes the small files that commands are given: configurations, keys, tokens.
enum Files {
    /// The whole content of a file, or of standard input for `-`.
    ///
    /// - Throws: `CommandFailure` when it cannot be read or is larger than `limit` bytes.
    static func read(_ path: String, limit: Int = 16 * 1024 * 1024) throws -> [UInt8] {
        if path == "-" { return try ConsoleInput(descriptor: 0).readAll(limit: limit) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("\(path) cannot be read: \(reason(errno))") }
        defer { close(descriptor) }
        do {
            return try ConsoleInput(descriptor: descriptor).readAll(limit: limit)
        } catch let failure as CommandFailure {
            throw CommandFailure("\(path): \(failure.message)")
        }
    }

    /// The first line of a file, without spaces around it: how tokens and keys are kept.
    ///
    /// - Throws: `CommandFailure` when it cannot be read or has none.
    static func readLine(_ path: String) throws -> String {
        let text = String(decoding: try read(path, limit: 65_536), as: UTF8.self)
        guard let line = text.split(whereSeparator: \.isWhitespace).first else {
            throw CommandFailure("\(path) is empty")
        }
        return String(line)
    }

    /// Makes a directory and those above it, for this user only, unless it is there.
    static func makeDirectory(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure("\(path) cannot be made")
        }
    }

    /// Makes a new file, durably; never replaces one.
    ///
    /// - Throws: `CommandFailure` when there is one of that name, or it cannot be written. Nothing half-written stays.
    static func create(_ path: String, _ text: String, mode: mode_t) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw CommandFailure(
                errno == EEXIST ? "\(path) is there already" : "\(path) cannot be made: \(reason(errno))"
            )
        }
        defer { close(descriptor) }
        do {
            try ConsoleOutput(descriptor: descriptor).write(text)
            guard fsync(descriptor) == 0 else { throw CommandFailure(reason(errno)) }
        } catch {
            unlink(path)
            throw CommandFailure("\(path) cannot be written")
        }
    }
}
