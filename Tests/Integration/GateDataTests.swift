import HoldfastKit
import XCTest

/// What the gate's commands do about a data directory that is missing, damaged, locked, full or not theirs.
final class GateDataTests: XCTestCase {
    func testSayThatThereIsNoDataAndMakeNone() throws {
        let folder = try Folder(for: self)
        let data = folder.path("none")
        for words in [["status"], ["export"], ["sync", "--to", "http://127.0.0.1:1/"], ["annul", UUID().uuidString]] {
            let outcome = try Holdfast.run(["gate"] + words + ["--data", data], input: Data(), in: folder)
            XCTAssertEqual(outcome.status, 1, "\(words)")
            XCTAssertEqual(outcome.errors, "holdfast: there is no gate data in \(data): No such file or directory\n")
        }
        let scan = ["gate", "scan", "--event", "E", "--zone", "Z", "--data", data]
        let outcome = try Holdfast.run(scan, input: Data("x\n".utf8), in: folder)
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.output, "")
        let advice = "gate install-config FILE --data \(data) makes one"
        XCTAssertEqual(outcome.errors, "holdfast: there is no gate in \(data); \(advice)\n")
        XCTAssertFalse(FileManager.default.fileExists(atPath: data))
    }

    func testAReaderOfAnExportMayStopEarlyButNoneOfAScan() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.scan(try (1...3).map { try gate.ticket("T-\($0)") }).status, 0)
        func run(_ words: [String]) throws -> Program {
            try Program(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["python3", "-c", Self.withoutReader, Holdfast.executable.path] + words,
                input: Data((try gate.ticket("T-4") + "\n").utf8),
                in: gate.folder
            )
        }
        let export = try run(["gate", "export", "--data", gate.data])
        XCTAssertEqual(export.wait(), 0)
        XCTAssertEqual(export.errors, "")
        let scan = try run(gate.scanWords())
        XCTAssertEqual(scan.wait(), 1)
        XCTAssertEqual(scan.errors, "holdfast: the answer cannot be written: nobody reads it any more\n")
    }

    /// Runs a command whose standard output is a pipe that nobody reads any more.
    private static let withoutReader = """
        import os, subprocess, sys
        reader, writer = os.pipe()
        os.close(reader)
        sys.exit(subprocess.run(sys.argv[1:], stdout=writer).returncode)
        """

    func testSayWhenTheDirectoryCannotBeOne() throws {
        let folder = try Folder(for: self)
        let file = try folder.file("file", "not a directory")
        let gate = try Gate(for: self)
        for words in [["scan", "--event", "E", "--zone", "Z"], ["install-config", "-"]] {
            let input = Data(gate.configuration().utf8)
            let outcome = try Holdfast.run(["gate"] + words + ["--data", file], input: input, in: folder)
            XCTAssertEqual(outcome.status, 1)
            XCTAssertEqual(outcome.output, "")
            let fault = words[0] == "scan" ? "there is no gate in \(file)" : "the data cannot be opened or made there"
            XCTAssertTrue(outcome.errors.hasPrefix("holdfast: \(fault)"), outcome.errors)
            XCTAssertEqual(try String(contentsOfFile: file, encoding: .utf8), "not a directory")
        }
    }

    func testMoveADamagedDatabaseAsideAndGoOn() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        let file = gate.folder.url("data/gate.sqlite")
        let damage = Data(repeating: 0x55, count: 4096)
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: damage)
        try handle.close()
        let outcome = try gate.scan([try gate.ticket("T-2")])
        XCTAssertEqual(try outcome.objects().count, 1, outcome.errors)
        let names = try FileManager.default.contentsOfDirectory(atPath: gate.data)
        let aside = try XCTUnwrap(
            names.first { $0.contains("damaged") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        )
        XCTAssertEqual(try Data(contentsOf: gate.folder.url("data/\(aside)")).prefix(4096), damage)
        XCTAssertTrue(outcome.errors.contains("a damaged database was moved aside"), outcome.errors)
    }

    func testKeepTheConfigurationWhenANewOneIsNoGood() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.install(gate.configuration(version: 3)).status, 0)
        let weak = gate.configuration(version: 4)
            .replacingOccurrences(
                of: Base64URL.encode(gate.key.publicKey.bytes),
                with: String(repeating: "A", count: 43)
            )
        let faults = [
            "": "is not strict JSON", "{\"version\":": "is not strict JSON",
            "{\"version\":4,\"events\":[]}": "has no events", weak: "under which anybody can forge",
            gate.configuration(version: 2): "a newer configuration is installed already",
            gate.configuration(version: 3, event: "\"revoked\":[\"T-1\"]"): "another configuration of the same version",
        ]
        for (text, fault) in faults {
            let outcome = try gate.install(text)
            XCTAssertEqual(outcome.status, 1, text)
            XCTAssertTrue(outcome.errors.contains(fault), outcome.errors)
            XCTAssertEqual(outcome.errors.filter { $0 == "\n" }.count, 1)
        }
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        let missing = try Holdfast.run("gate", "install-config", "none.json", "--data", gate.data, in: gate.folder)
        XCTAssertEqual(missing.errors, "holdfast: none.json cannot be read: No such file or directory\n")
    }

    func testTrustOnlyTheConfigurationKey() throws {
        let gate = try Gate(for: self)
        let trusted = try SigningKey()
        let json = gate.configuration(version: 2)
        let signed = { (key: SigningKey) throws in
            "\(Base64URL.encode(Array(json.utf8))).\(Base64URL.encode(try key.sign(Array(json.utf8))))"
        }
        let text = Base64URL.encode(trusted.publicKey.bytes)
        let unsigned = try gate.install(json, "--trust=\(text)")
        XCTAssertTrue(unsigned.errors.contains("the configuration is not signed"), unsigned.errors)
        let foreign = try gate.install(try signed(gate.key), "--trust=\(text)")
        XCTAssertTrue(foreign.errors.contains("not signed by the trusted key"), foreign.errors)
        let file = try gate.folder.file("trusted.pub", text + "\n")
        XCTAssertEqual(try gate.install(try signed(trusted), "--trust", file).status, 0)
        XCTAssertEqual(try gate.install(json, "--trust", "nonsense").status, 2)
    }

    func testDenyWhatCannotBeRecordedWhileAnotherHoldsTheLock() throws {
        let gate = try Gate(for: self)
        let locker = try gate.holdingTheLock()
        let outcome = try gate.scan([try gate.ticket("T-1")])
        try locker.closeInput()
        XCTAssertEqual(locker.wait(), 0, locker.errors)
        XCTAssertEqual(try outcome.objects().map { $0["reason"] }, ["cannot_record"])
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted", "it was not used up")
    }

    func testAnnulAnAdmission() throws {
        let gate = try Gate(for: self)
        let ticket = try gate.ticket("T-1")
        let scan = try XCTUnwrap(try gate.answer(ticket)["scanId"])
        let annul = { (id: String) in
            try Holdfast.run("gate", "annul", id, "--data", gate.data, "--gate", "office", "--json", in: gate.folder)
        }
        let outcome = try annul(scan)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let record = try XCTUnwrap(try outcome.objects().first)
        XCTAssertEqual(record["annuls"], scan)
        XCTAssertEqual(record["gate"], "office")
        XCTAssertEqual(try annul(scan).errors, "holdfast: the scan has been annulled already\n")
        XCTAssertEqual(
            try annul(UUID().uuidString).errors,
            "holdfast: there is no such scan, or it let nobody through\n"
        )
        XCTAssertEqual(try annul("x").status, 2)
        XCTAssertEqual(try gate.answer(ticket)["decision"], "accepted")
        XCTAssertEqual(try gate.export().map { $0["decision"] }, ["accepted", "annulled", "accepted"])
    }
}
