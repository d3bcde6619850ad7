import Dispatch
import Foundation
import Patience
import XCTest

/// A program run as a process of its own, with its streams in files, so that whatever it wrote is there even when it
/// was killed.
final class Program {
    /// How long one may take that is to end by itself: far longer than any does.
    private static let longestRun: TimeInterval = 600

    private let process = Process()
    private let folder: Folder
    private var input: Pipe?

    /// Starts a program, on this machine's network or at another place. Its input is `input`, or a pipe to `type` into
    /// if that is nil.
    init(
        _ executable: URL,
        _ arguments: [String],
        input: Data?,
        at place: NetworkPlace? = nil,
        in folder: Folder
    ) throws {
        self.folder = try folder.subfolder()
        process.executableURL = place.map { _ in URL(fileURLWithPath: "/usr/bin/env") } ?? executable
        process.arguments = (place.map { $0.entering + [executable.path] } ?? []) + arguments
        for name in ["out", "err"] { try Data().write(to: self.folder.url(name)) }
        process.standardOutput = try FileHandle(forWritingTo: self.folder.url("out"))
        process.standardError = try FileHandle(forWritingTo: self.folder.url("err"))
        if let input {
            try input.write(to: self.folder.url("in"))
            process.standardInput = try FileHandle(forReadingFrom: self.folder.url("in"))
        } else {
            let pipe = Pipe()
            self.input = pipe
            process.standardInput = pipe
        }
        process.environment = LineCounts.environment(writingTo: self.folder)
        try process.run()
    }

    /// What it has written to its standard output so far.
    var output: String { text("out") }
    /// What it has written to its standard error so far.
    var errors: String { text("err") }
    /// The whole lines of its output so far.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
    /// Its process id.
    var id: Int32 { process.processIdentifier }
    /// Whether it still runs.
    var isRunning: Bool { process.isRunning }

    private func text(_ name: String) -> String {
        // A stream that cannot be read back is as good as empty: the assertion that needs it will say so.
        (try? Data(contentsOf: folder.url(name))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Types into its standard input.
    func type(_ text: String) throws { try input?.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Waits until it has printed so many whole lines, each of which may take its time, or for its end.
    func waitForLines(_ count: Int, file: StaticString = #filePath, line: UInt = #line) throws {
        var printed = lines.count
        while printed < count, isRunning {
            let patience = Patience("it prints line \(printed + 1) of \(count)")
            while lines.count == printed, isRunning { try patience.rest() }
            printed = lines.count
        }
        XCTAssertGreaterThanOrEqual(lines.count, count, errors, file: file, line: line)
    }

    /// Waits until it has complained so, or for its end.
    func waitForError(_ words: String, file: StaticString = #filePath, line: UInt = #line) throws {
        let patience = Patience("it complains: \(words)")
        while !errors.contains(words), isRunning { try patience.rest() }
        XCTAssertTrue(errors.contains(words), "it said: \(errors)", file: file, line: line)
    }

    /// Waits until it has read what was typed into its standard input.
    func waitUntilRead() throws {
        let patience = Patience("it reads what was typed")
        var unread: Int32 = 0
        repeat {
            try patience.rest()
            XCTAssertEqual(ioctl(try XCTUnwrap(input).fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &unread), 0)
        } while unread > 0
    }

    /// Ends its standard input.
    func closeInput() throws { try input?.fileHandleForWriting.close() }

    /// Sends it a signal.
    func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for its end; its exit code, or the negative number of the signal that ended it.
    @discardableResult
    func wait() -> Int32 {
        let watchdog = DispatchWorkItem { [process] in
            XCTFail("ended as it ran for too long: \(process.arguments?.joined(separator: " ") ?? "")")
            kill(process.processIdentifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestRun, execute: watchdog)
        process.waitUntilExit()
        watchdog.cancel()
        guard process.terminationReason == .exit else { return -process.terminationStatus }
        XCTAssertNoThrow(try LineCounts.collect(from: folder))
        return process.terminationStatus
    }
}

/// A folder that lives as long as a test.
final class Folder {
    private let root: URL
    private var count = 0

    /// A new, empty folder for `test`, removed after it.
    convenience init(for test: XCTestCase) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
        try self.init(url)
        test.addTeardownBlock { try FileManager.default.removeItem(at: url) }
    }

    private init(_ url: URL) throws {
        root = url
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A new folder in it.
    func subfolder() throws -> Folder {
        count += 1
        return try Folder(root.appendingPathComponent("\(count)"))
    }

    /// The paths of the files in it whose names end so.
    func files(ending suffix: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix(suffix) }
    }

    /// The file `name` in it.
    func url(_ name: String) -> URL { root.appendingPathComponent(name) }

    /// The path of the file `name` in it.
    func path(_ name: String) -> String { url(name).path }

    /// Writes a file in it and gives its path.
    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: url(name))
        return path(name)
    }
}
