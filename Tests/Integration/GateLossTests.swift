import HoldfastKit
import XCTest

/// What the gate's commands say and do when a part of the data directory is gone.
final class GateLossTests: XCTestCase {
    private static let lostSecret = """
        holdfast: the key vault has lost the secret by which used tickets are known: restore the vault, or hand the \
        records over and move the data directory aside to begin anew

        """

    func testAVaultWithoutItsSecretAdmitsNobodyTwice() throws {
        for missing in ["vault/subject.secret", "vault"] {
            let gate = try Gate(for: self)
            let used = try gate.ticket("T-1")
            XCTAssertEqual(try gate.answer(used)["decision"], "accepted")
            let (place, aside) = (gate.folder.url("data/\(missing)"), gate.folder.url("aside"))
            try FileManager.default.moveItem(at: place, to: aside)

            let scan = try gate.scan([used, try gate.ticket("T-2")])
            XCTAssertEqual(scan.status, 1)
            XCTAssertEqual(scan.output, "")
            XCTAssertTrue(scan.errors.hasSuffix(Self.lostSecret), scan.errors)
            let install = try gate.install(gate.configuration(version: 2))
            XCTAssertEqual(install.status, 1)
            XCTAssertTrue(install.errors.hasSuffix(Self.lostSecret), install.errors)
            XCTAssertEqual(try gate.status()["configFailure"], "vault_lost")
            let secret = gate.folder.path("data/vault/subject.secret")
            XCTAssertFalse(FileManager.default.fileExists(atPath: secret), "another was made")
            let collector = try Collector(in: gate.folder, for: self)
            let sync = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
            let partial = try Holdfast.run(sync, input: Data(), in: gate.folder)
            XCTAssertEqual(partial.status, missing == "vault" ? 1 : 0, partial.errors)
            XCTAssertTrue(missing != "vault" || partial.errors.hasSuffix(Self.lostSecret), partial.errors)
            let handedOver = try collector.acceptedIDs().count
            XCTAssertEqual(handedOver, missing == "vault" ? 0 : 1, "what can still be read")

            if missing == "vault" { try FileManager.default.removeItem(at: place) }
            try FileManager.default.moveItem(at: aside, to: place)
            XCTAssertEqual(try gate.answer(used)["reason"], "already_used", "the vault is back")
            XCTAssertEqual(try Holdfast.run(sync, input: Data(), in: gate.folder).status, 0)
            XCTAssertGreaterThan(try collector.acceptedIDs().count, handedOver, "nothing was set aside meanwhile")
            XCTAssertEqual(try gate.status().number("rejected"), 0)
            XCTAssertEqual(try gate.answer(try gate.ticket("T-2"))["decision"], "accepted")
        }
    }

    func testADamagedConfigurationKeyIsNoObstacleToAnInstallation() throws {
        let garbled = Data("garbled".utf8)
        for version in [1, 2] {
            let gate = try Gate(for: self)
            XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
            let key = gate.folder.url("data/vault/configuration.key.1")
            try garbled.write(to: key)
            XCTAssertEqual(try gate.answer(try gate.ticket("T-2"))["reason"], "no_keys")
            let install = try gate.install(gate.configuration(version: version))
            XCTAssertEqual(install.status, 0, install.errors)
            XCTAssertEqual(
                install.errors,
                "holdfast: the configuration that is stored cannot be opened, and is not in force\n"
            )
            XCTAssertEqual(install.output, "configuration \(version) is in force: EV1\n")
            XCTAssertEqual(try Data(contentsOf: key), garbled, "nothing is deleted")
            XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["reason"], "already_used")
            XCTAssertEqual(try gate.answer(try gate.ticket("T-2"))["decision"], "accepted")
            XCTAssertEqual(try gate.install(gate.configuration(version: version)).errors, "")
        }
    }

    func testRecordsUnderADamagedKeyWaitForItsFile() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        let key = gate.folder.url("data/vault/gate.key.1")
        let whole = try Data(contentsOf: key)
        try whole.prefix(10).write(to: key)
        let collector = try Collector(in: gate.folder, for: self)
        let sync = ["gate", "sync", "--data", gate.data, "--to", collector.recordsURL]
        let advice = "restore it from a backup, or delete it to give them up\n"
        for _ in 0..<2 {
            let outcome = try Holdfast.run(sync, input: Data(), in: gate.folder)
            XCTAssertEqual(outcome.status, 1)
            let words = "holdfast: records wait for vault/gate.key.1, which is damaged: \(advice)"
            XCTAssertTrue(outcome.errors.hasSuffix(words), outcome.errors)
        }
        let people = try Holdfast.run("gate", "status", "--data", gate.data, in: gate.folder)
        XCTAssertTrue(
            people.output.contains("vault/gate.key.1 is damaged: 1 record cannot be opened; \(advice)"),
            people.output
        )
        try whole.write(to: key)
        XCTAssertEqual(try Holdfast.run(sync, input: Data(), in: gate.folder).status, 0)
        XCTAssertEqual(try collector.acceptedIDs().count, 1)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["reason"], "already_used")
    }

    func testMovingTheDataDirectoryAsideBeginsAnew() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        try FileManager.default.removeItem(at: gate.folder.url("data/vault/subject.secret"))
        XCTAssertEqual(try gate.scan([try gate.ticket("T-1")]).status, 1)
        try FileManager.default.moveItem(at: gate.folder.url("data"), to: gate.folder.url("old"))
        XCTAssertEqual(try gate.install(gate.configuration()).status, 0)
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
        XCTAssertNil(try gate.status()["journalLostAt"])
        let old = try Holdfast.run("gate", "export", "--data", gate.folder.path("old"), "--json", in: gate.folder)
        XCTAssertEqual(try old.objects().compactMap { $0["ticketId"] }, ["T-1"])
    }

    func testAJournalThatWasEmptiedIsToldAndNeverSilent() throws {
        for remains in [nil, Data(), Data([0]), Data("text".utf8)] as [Data?] {
            let gate = try Gate(for: self)
            XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["decision"], "accepted")
            XCTAssertNil(try gate.status()["journalLostAt"])
            for side in ["", "-wal", "-shm"] {
                let file = gate.folder.url("data/gate.sqlite\(side)")
                if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            }
            if let remains { try remains.write(to: gate.folder.url("data/gate.sqlite")) }

            let scan = try gate.scan([try gate.ticket("T-1")])
            XCTAssertEqual(try scan.objects().map { $0["reason"] }, ["no_keys"])
            let words = "the journal is gone, and a new one takes its place; what was in it is not known any more\n"
            XCTAssertEqual(scan.errors.components(separatedBy: words).count, 2, scan.errors)
            XCTAssertEqual(try gate.install(gate.configuration()).errors, "", "it is told once")
            XCTAssertNotNil(try gate.status()["journalLostAt"], "and kept in the status")
            XCTAssertEqual(try gate.answer(try gate.ticket("T-2"))["decision"], "accepted")
            XCTAssertEqual(try gate.integrity(), "ok")
        }
    }

    func testAJournalThatIsRemovedWhileAGateRunsIsTold() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(try gate.ticket("T-1") + "\n")
        try program.waitForLines(1)
        for side in ["", "-wal", "-shm"] {
            try FileManager.default.removeItem(at: gate.folder.url("data/gate.sqlite\(side)"))
        }
        try program.type(try gate.ticket("T-2") + "\n")
        try program.waitForLines(2)
        try program.waitForError("the journal is gone")
        try program.closeInput()
        XCTAssertEqual(program.wait(), 0)
        XCTAssertNotNil(try gate.status()["journalLostAt"])
        XCTAssertEqual(try gate.export().compactMap { $0["ticketId"] }, ["T-2"])
    }

    func testRecordsThatDamageHasTakenStayInTheStatus() throws {
        let gate = try Gate(for: self)
        XCTAssertEqual(try gate.scan(try (1...40).map { try gate.ticket("T-\($0)") }).status, 0)
        XCTAssertEqual(try gate.status()["lost"], nil)
        try gate.folder.alter(
            gate.folder.path("data/gate.sqlite"),
            "UPDATE queued SET sealed = 5 WHERE (key & 0xffffffffff) IN (3, 4, 5)"
        )
        let export = try Holdfast.run("gate", "export", "--data", gate.data, "--json", in: gate.folder)
        let lost = 40 - (try export.objects().count)
        XCTAssertGreaterThan(lost, 0)
        XCTAssertTrue(export.errors.contains("at least \(lost) of its entries are lost"), export.errors)
        for _ in 0..<2 {
            let outcome = try Holdfast.run("gate", "status", "--data", gate.data, in: gate.folder)
            XCTAssertEqual(outcome.errors, "", "told once, and kept in the status")
            XCTAssertTrue(outcome.output.contains("lost           at least \(lost) records, by damage"), outcome.output)
        }
    }

    func testAJournalWhoseLogWasRemovedIsSoundAndGoesOn() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        let tickets = try (1...50).map { try gate.ticket("T-\($0)") }
        try program.type(tickets.joined(separator: "\n") + "\n")
        try program.waitForLines(50)
        program.send(SIGKILL)
        XCTAssertEqual(program.wait(), -SIGKILL)
        let log = gate.folder.url("data/gate.sqlite-wal")
        XCTAssertGreaterThan(try Data(contentsOf: log).count, 0, "what was said is in the log")
        try FileManager.default.removeItem(at: log)

        let scan = try gate.scan([try gate.ticket("T-1")])
        XCTAssertEqual(scan.status, 0, scan.errors)
        XCTAssertEqual(try scan.objects().count, 1)
        XCTAssertEqual(try gate.integrity(), "ok")
        let sequences = try gate.export().map { $0.number("sequence") }
        XCTAssertEqual(sequences, Array(1...sequences.count))
        XCTAssertEqual(try gate.answer(try gate.ticket("T-1"))["reason"], "already_used")
    }

    func testAVaultThatIsRemovedWhileAGateRunsGetsNoOtherKey() throws {
        let gate = try Gate(for: self)
        let program = try Holdfast.start(gate.scanWords(), input: nil, in: gate.folder)
        try program.type(try gate.ticket("T-1") + "\n")
        try program.waitForLines(1)
        try FileManager.default.moveItem(at: gate.folder.url("data/vault"), to: gate.folder.url("aside"))
        try program.type(try gate.ticket("T-2") + "\n")
        try program.waitForLines(2)
        try program.closeInput()
        program.wait()
        XCTAssertFalse(FileManager.default.fileExists(atPath: gate.folder.path("data/vault")))
        try FileManager.default.moveItem(at: gate.folder.url("aside"), to: gate.folder.url("data/vault"))
        let records = try gate.export()
        XCTAssertEqual(records.map { $0["ticketId"] }, ["T-1", "T-2"], "sealed with the key that is back")
    }
}
