import HoldfastKit
import XCTest

/// A disk that is full or may not be written: nobody passes unrecorded, the gate goes on, nothing is lost.
final class GateDiskTests: XCTestCase {
    /// A gate whose data lies on a file system of one mebibyte.
    private func gateOnSmallDisk() throws -> Gate {
        let gate = try Gate(for: self)
        let path = gate.data
        try gate.folder.need(
            "cp -a $1 $1.copy && mount -t tmpfs -o size=1m tmpfs $1 && cp -a $1.copy/. $1",
            path
        )
        unmountAfterwards(path)
        return gate
    }

    func testDenyOnAFullDiskAndRecoverWithSpace() throws {
        let gate = try gateOnSmallDisk()
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(try gate.ticket("T-1") + "\n")
        try program.waitForLines(1)
        try gate.folder.need("dd if=/dev/zero of=$1/filler bs=1k 2>/dev/null; true", gate.data)
        var number = 2
        while number < 200, try program.lines.last.map({ try Row($0)["reason"] }) != "cannot_record" {
            try program.type(try gate.ticket("T-\(number)") + "\n")
            try program.waitForLines(number)
            number += 1
        }
        XCTAssertLessThan(number, 200, "the disk was never full")
        try FileManager.default.removeItem(at: gate.folder.url("data/filler"))
        let denied = try gate.ticket("T-\(number - 1)")
        try program.type(denied + "\n")
        try program.waitForLines(number)
        XCTAssertEqual(try program.lines.last.map { try Row($0)["decision"] }, "accepted")
        try program.closeInput()
        XCTAssertEqual(program.wait(), 1, "something could not be recorded when it was scanned")
        let known = Set(try gate.export().compactMap { $0["scanId"] })
        let accepted = try program.lines.map(Row.init).filter { $0["decision"] == "accepted" }
        XCTAssertTrue(accepted.allSatisfy { known.contains($0["scanId"] ?? "") })
    }

    func testOpenNothingOnAFullDisk() throws {
        let gate = try Gate(for: self)
        let path = gate.folder.path("full")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try gate.folder.need(
            "mount -t tmpfs -o size=64k tmpfs $1 && dd if=/dev/zero of=$1/f bs=1k 2>/dev/null; test -e $1/f",
            path
        )
        unmountAfterwards(path)
        let words = ["gate", "install-config", "-", "--data", path]
        let outcome = try Holdfast.run(words, input: Data(gate.configuration().utf8), in: gate.folder)
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.output, "")
        XCTAssertTrue(outcome.errors.hasPrefix("holdfast: "), outcome.errors)
    }

    func testAVaultThatMayOnlyBeReadIsEnoughForAGateThatHasItsKeys() throws {
        let gate = try Gate(for: self)
        let vault = gate.folder.path("data/vault")
        try gate.folder.need("mount --bind $1 $1 && mount -o remount,ro,bind $1", vault)
        unmountAfterwards(vault)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        let collector = try Collector(in: gate.folder, for: self)
        let sync = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
        let outcome = try Holdfast.run(sync, input: Data(), in: gate.folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.errors, "")
        // Telemetry has no key there yet.
        let teller = try Holdfast.run("telemetry", "log", "--data", gate.data, "--type", "a", in: gate.folder)
        XCTAssertEqual(teller.status, 1)
        let words = "the key vault can be read but not written, and a key is to be stored there (30)\n"
        XCTAssertTrue(teller.errors.hasSuffix(words), teller.errors)
    }

    func testDenyWhereTheDirectoryMayOnlyBeRead() throws {
        let gate = try Gate(for: self)
        let path = gate.data
        try gate.folder.need("mount --bind $1 $1 && mount -o remount,ro,bind $1", path)
        unmountAfterwards(path)
        let outcome = try gate.scan([try gate.ticket("T-1"), "x"])
        XCTAssertEqual(outcome.status, 1)
        XCTAssertFalse(outcome.output.contains("accepted"))
        XCTAssertNotEqual(outcome.output + outcome.errors, "")
    }
}
