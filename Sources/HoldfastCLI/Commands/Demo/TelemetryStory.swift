import Foundation
import HoldfastKit

/// The demo's second half: events are logged without a network, survive a kill, and are delivered through a server that
/// fails.
struct TelemetryStory {
    private let stage: DemoStage
    private let data: String

    init(on stage: DemoStage) {
        self.stage = stage
        data = stage.path("telemetry")
    }

    /// Plays it.
    ///
    /// - Throws: `CommandFailure` when anything is not as it was promised.
    func play() throws {
        try stage.say("\n== Telemetry is logged without a network")
        let one = ["telemetry", "log", "--data", data, "--type", "screen.view", "--payload", "{\"ms\":182}", "--json"]
        var ids = try ids(in: try stage.run(one).output)
        ids += try killInTheMiddle()
        try showThatNothingIsReadable()
        try stage.say("\n== A new key seals from now on; older events keep theirs until they are delivered")
        try stage.say(try stage.run(["telemetry", "rotate-key", "--data", data]).output.trimmed)
        ids += try self.ids(in: try stage.run(log, input: lines(1...200)).output)
        try stage.say(try stage.run(["telemetry", "status", "--data", data]).output.trimmed)
        try deliver(ids)
    }

    private var log: [String] { ["telemetry", "log", "--data", data, "--lines", "--json"] }

    /// Kills the process that logs, and gives the ids of what it had said was durable.
    private func killInTheMiddle() throws -> [String] {
        try stage.say("\n== A program logs without end; in the middle of it it is killed (kill -9)")
        let child = try stage.start(log, input: lines(1...20_000))
        var printed = ""
        while printed.filter({ $0 == "\n" }).count < 500 {
            let text = child.read()
            guard !text.isEmpty else { throw CommandFailure("the demo failed: the log stopped by itself") }
            printed += text
        }
        child.kill()
        printed += child.readAll()
        child.wait()
        let ids = try ids(in: String(printed[..<(printed.lastIndex(of: "\n") ?? printed.startIndex)]))
        try stage.say("killed after it had said of \(ids.count) events that they are durable")
        return ids
    }

    /// Looks through every byte that telemetry has left on the disk.
    private func showThatNothingIsReadable() throws {
        let root = URL(fileURLWithPath: data)
        let names = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
        var count = 0
        for name in names {
            // A directory has no bytes.
            guard let bytes = try? Data(contentsOf: root.appendingPathComponent(name)) else { continue }
            count += bytes.count
            for word in ["screen.view", "timing", "payload", "sessionId"]
            where bytes.range(of: Data(word.utf8)) != nil {
                throw CommandFailure("the demo failed: \(word) is readable in \(name)")
            }
        }
        try stage.say("looked through \(count) bytes on the disk: no type, no payload and no session is readable")
    }

    private func deliver(_ ids: [String]) throws {
        try stage.say("\n== Online again: the events are delivered to a server that fails in every way it can")
        let collector = try DemoCollector(
            named: "events",
            script: [
                ["status": 500], ["drop": "after"], ["status": 429, "retryAfter": "1"], ["nonsense": "truncated"],
                ["status": 413],
            ],
            on: stage
        )
        let command = ["telemetry", "deliver", "--data", data, "--to", "\(collector.base)/v1/telemetry/batch"]
        try stage.say(try stage.run(command + ["--until-empty", "--timeout", "60"]).output.trimmed)
        let arrived = try collector.acceptedIDs()
        let missing = Set(ids).subtracting(arrived).count
        guard missing == 0, Set(arrived).count == arrived.count else {
            throw CommandFailure("the demo failed: \(missing) events that were durable did not arrive")
        }
        try collector.stop()
        try stage.say(
            "\nlogged and said to be durable \(ids.count), taken by the server \(arrived.count) (with those that the kill "
                + "kept from being told): nothing lost, nothing twice"
        )
    }

    private func lines(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { "{\"type\":\"timing\",\"payload\":{\"n\":\($0)}}\n" }.joined()
    }

    private func ids(in output: String) throws -> [String] {
        try output.split(separator: "\n").map { try JSONValue.parse(String($0))["id"]?.stringValue ?? "" }
    }
}
