import HoldfastKit
import XCTest

/// What scanners and people type: every line gets one answer, and nothing stops the gate.
final class ScannerLineTests: XCTestCase {
    private func scan(_ input: Data, at gate: Gate) throws -> Outcome {
        try Holdfast.run(gate.scanWords(), input: input, in: gate.folder)
    }

    func testEndsLinesAsScannersDo() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...4).map { try gate.ticket("T-\($0)") }
        let text = tickets[0] + "\r" + tickets[1] + "\n" + tickets[2] + "\r\n\r\n" + tickets[3]
        let outcome = try scan(Data(text.utf8), at: gate)
        XCTAssertEqual(outcome.status, 0)
        XCTAssertEqual(try outcome.objects().map { $0["ticketId"] }, ["T-1", "T-2", "T-3", "T-4"])
        XCTAssertEqual(try outcome.objects().map { $0["decision"] }, Array(repeating: "accepted", count: 4))
    }

    func testStripsWhatScannersAdd() throws {
        let gate = try Gate(for: self)
        let outcome = try scan(Data("  \\000026\(try gate.ticket("T-1")) \n".utf8), at: gate)
        XCTAssertEqual(try outcome.objects().first?["decision"], "accepted")
    }

    func testDeniesAnythingElseAndGoesOn() throws {
        let gate = try Gate(for: self)
        let ticket = try gate.ticket("T-1")
        var lines: [[UInt8]] = [
            [0], Array(ticket.utf8) + [0], [0xff, 0xfe, 0x80], [0xef, 0xbb, 0xbf] + Array(ticket.utf8),
            Array((UInt8.min...UInt8.max).filter { $0 != 10 && $0 != 13 }), Array("\u{1b}[2J".utf8), [0x20],
        ]
        let denials = lines.count
        lines.append(Array(ticket.utf8))
        let outcome = try scan(Data(lines.joined(separator: [10])), at: gate)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let rows = try outcome.objects()
        XCTAssertEqual(rows.count, lines.count)
        XCTAssertTrue(rows.prefix(denials).allSatisfy { $0["decision"] == "denied" })
        XCTAssertEqual(rows.last?["decision"], "accepted")
        XCTAssertEqual(try gate.export().count, lines.count)
    }

    func testDeniesALineOfManyMegabytesOnceInLittleMemory() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(try gate.ticket("T-1") + "\n")
        try program.waitForLines(1)
        let before = try peakMemory(of: program)
        for _ in 0..<8 { try program.type(String(repeating: "A", count: 1 << 20)) }
        try program.type("\n\(try gate.ticket("T-2"))\n")
        try program.waitForLines(3)
        XCTAssertLessThan(try peakMemory(of: program), before + 4 << 10, "kilobytes")
        try program.closeInput()
        XCTAssertEqual(program.wait(), 0, program.errors)
        XCTAssertEqual(try program.lines.map { try Row($0)["reason"] }, [nil, "malformed", nil])
    }

    /// The most memory that a process ever had resident, in KiB.
    private func peakMemory(of program: Program) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.id)/status", encoding: .utf8)
        let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try XCTUnwrap(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
    }

    func testEveryForeignCodeIsRefused() throws {
        let folder = Holdfast.package.appendingPathComponent("../shared/vectors")
        let files = ["foreign", "qr"].flatMap { name -> [URL] in
            let url = folder.appendingPathComponent(name)
            // Where there is no such folder the test is skipped, and says so.
            let all = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            return (all ?? []).filter { $0.pathExtension == "txt" }
        }
        try XCTSkipIf(files.isEmpty, "there are no vectors beside the package")
        let gate = try Gate(for: self)
        var lines: [[UInt8]] = []
        for file in files {
            lines += try Data(contentsOf: file).split(whereSeparator: { $0 == 10 || $0 == 13 }).map { Array($0) }
        }
        let rows = try scan(Data(lines.joined(separator: [10])), at: gate).objects()
        XCTAssertEqual(rows.count, lines.count)
        XCTAssertTrue(rows.allSatisfy { ["malformed", "unsupported_format"].contains($0["reason"]) })
    }

    func testEndsWithASentenceWhereNobodyReadsOrTypes() throws {
        let gate = try Gate(for: self)
        let tickets = try (1...200).map { try gate.ticket("T-\($0)") }.joined(separator: "\n")
        let closed = try shell("exec \"$@\" <&-", gate.scanWords(), input: "", in: gate.folder)
        XCTAssertEqual(closed.status, 1)
        XCTAssertEqual(closed.errors, "holdfast: the input cannot be read: Bad file descriptor\n")
        let pipe = try shell(
            "{ \"$@\"; echo $? >&3; } 3>&2 | head -n 1 >/dev/null",
            gate.scanWords(),
            input: tickets,
            in: gate.folder
        )
        XCTAssertEqual(pipe.errors, "holdfast: the answer cannot be written: nobody reads it any more\n1\n")
        let full = try shell("exec \"$@\" >/dev/full", gate.scanWords(), input: tickets, in: gate.folder)
        XCTAssertEqual(full.status, 1)
        XCTAssertEqual(full.errors, "holdfast: the answer cannot be written: No space left on device\n")
        let mute = try shell("exec \"$@\" >&-", gate.scanWords(), input: tickets, in: gate.folder)
        XCTAssertEqual(mute.status, 1)
        XCTAssertEqual(mute.errors, "holdfast: the answer cannot be written: Bad file descriptor\n")
    }

    private func shell(_ script: String, _ words: [String], input: String, in folder: Folder) throws -> Outcome {
        let program = try Program(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", script, "sh", Holdfast.executable.path] + words,
            input: Data(input.utf8),
            in: folder
        )
        let status = program.wait()
        return Outcome(status: status, output: program.output, errors: program.errors)
    }
}
