import Foundation
import XCTest

/// Memory does not grow with the queue.
final class TelemetryMemoryTests: XCTestCase {
    /// More than the process takes that has next to nothing to send.
    private static let budget = 16 * 1024

    func testDrainingTwentyMebibytesTakesLittleMemory() throws {
        let idle = try peakOfDelivery(of: 1, each: 10)
        let busy = try peakOfDelivery(of: 2500, each: 8192)
        XCTAssertLessThanOrEqual(busy - idle, Self.budget, "KiB over \(idle)")
    }

    /// The most memory in KiB that `telemetry deliver` takes for so many events, each with so much text.
    private func peakOfDelivery(of count: Int, each size: Int) throws -> Int {
        let teller = try Teller(for: self)
        for start in stride(from: 1, through: count, by: 500) {
            _ = try teller.log(teller.lines(start...min(count, start + 499), padding: size))
        }
        _ = try teller.log(teller.lines(0...0, type: "the.last"))
        // The last event is put off, so that the process is still there to be asked.
        let script = #"{"rules":[{"when":{"contains":"the.last"},"status":429,"retryAfter":"600"}]}"#
        let collector = try Collector(script: script, in: teller.folder, for: self)
        let command = ["telemetry", "deliver", "--data", teller.data, "--to", collector.eventsURL, "--until-empty"]
        let delivery = try Holdfast.start(command, in: teller.folder)
        defer {
            delivery.send(SIGKILL)
            delivery.wait()
        }
        try delivery.waitForError("the server ordered a wait")
        XCTAssertGreaterThan(try collector.acceptedIDs().count, count - 100, "all but the last batch")
        return try peak(of: delivery)
    }

    /// The largest resident set that a process has had, in KiB (proc_pid_status(5)).
    private func peak(of program: Program) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.id)/status", encoding: .utf8)
        let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try XCTUnwrap(Int(line.split(whereSeparator: { " \t".contains($0) })[1]))
    }
}
