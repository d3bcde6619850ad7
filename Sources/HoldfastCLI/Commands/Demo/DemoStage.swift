import Foundation
import HoldfastDomain

/// Where the demo plays: a folder of its own, this very executable as the program that it shows, and the collector.
final class DemoStage {
    /// The folder for everything that the demo makes.
    let folder: URL
    /// The package's `Fixtures` folder.
    let fixtures: URL
    private let console: Console
    private let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    /// A stage in a new folder.
    ///
    /// - Parameter fixtures: The package's `Fixtures` folder; nil looks for it above the working directory and above the
    ///   executable.
    init(fixtures: String?, console: Console) throws {
        self.console = console
        let candidates = fixtures.map { [URL(fileURLWithPath: $0)] } ?? Self.fixtures(near: executable)
        let isThere = { (url: URL) in
            FileManager.default.isExecutableFile(atPath: url.appendingPathComponent("collector").path)
        }
        guard let found = candidates.first(where: isThere) else {
            throw CommandFailure("the demo needs the package's Fixtures folder: --fixtures DIR")
        }
        self.fixtures = found
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private static func fixtures(near executable: URL) -> [URL] {
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        return [here, executable].flatMap { start -> [URL] in
            (0..<start.pathComponents.count).map { level in
                (0..<level).reduce(start) { url, _ in url.deletingLastPathComponent() }.appendingPathComponent(
                    "Fixtures"
                )
            }
        }
    }

    /// Removes the folder.
    func clear() throws { try FileManager.default.removeItem(at: folder) }

    /// A path in the folder.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Tells the audience something.
    func say(_ text: String) throws { try console.output.write(text + "\n") }

    /// Shows and runs a command of this program to its end, and gives what it printed.
    ///
    /// - Throws: `CommandFailure` when it ends with another code than `expecting` (nil: any).
    func run(_ arguments: [String], input: String = "", expecting: Int32? = 0) throws -> (code: Int32, output: String) {
        try say("$ holdfast \(arguments.map(shown).joined(separator: " "))")
        let child = try DemoChild(executable, arguments, input: input, in: self)
        let output = child.readAll()
        let code = child.wait()
        if let expecting, code != expecting {
            throw CommandFailure("the demo failed: holdfast \(arguments[0]) ended with \(code) instead of \(expecting)")
        }
        return (code, output)
    }

    /// Runs a command of this program to its end without showing it, and gives what it printed.
    func quietly(_ arguments: [String]) throws -> String {
        let child = try DemoChild(executable, arguments, input: "", in: self)
        let output = child.readAll()
        guard child.wait() == 0 else {
            throw CommandFailure("the demo failed: holdfast \(arguments[0]) did not succeed")
        }
        return output
    }

    /// Shows and starts a command of this program.
    func start(_ arguments: [String], input: String) throws -> DemoChild {
        try say("$ holdfast \(arguments.map(shown).joined(separator: " "))")
        return try DemoChild(executable, arguments, input: input, in: self)
    }

    /// Runs another program to its end, and gives what it printed.
    func run(fixture name: String, _ arguments: [String], input: String) throws -> String {
        try say("$ Fixtures/\(name) \(arguments.map(shown).joined(separator: " "))")
        let child = try DemoChild(fixtures.appendingPathComponent(name), arguments, input: input, in: self)
        let output = child.readAll()
        guard child.wait() == 0 else { throw CommandFailure("the demo failed: Fixtures/\(name) did not succeed") }
        return output
    }

    /// An argument as a shell would take it, but for the folder, which says nothing.
    private func shown(_ argument: String) -> String {
        let short = argument.replacingOccurrences(of: folder.path + "/", with: "")
        return short.contains("\"") ? "'\(short)'" : short
    }
}

/// A child process of the demo.
final class DemoChild {
    private let process = Process()
    private let output = Pipe()

    /// Starts it with `input` on its standard input.
    init(_ executable: URL, _ arguments: [String], input: String, in stage: DemoStage) throws {
        let file = stage.folder.appendingPathComponent("input-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        try FileManager.default.removeItem(at: file)
    }

    /// Everything it prints, to the end.
    func readAll() -> String { String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

    /// What it has printed now, waiting until there is something; empty at the end.
    func read() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }

    /// Kills it as `kill -9` does.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Asks it to end.
    func terminate() { process.terminate() }

    /// A child that nobody waits for any more does not outlive the story.
    deinit { if process.isRunning { kill() } }

    /// Waits for its end; its exit code, or the negative number of the signal that ended it.
    @discardableResult
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }
}

extension String {
    /// Without whitespace at either end.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
