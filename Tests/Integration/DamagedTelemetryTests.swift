import XCTest

/// Data that is damaged, swapped, of another version or on a full disk, and keys that are lost, damaged or locked: one
/// plain sentence or a counted loss, and everything else arrives.
final class DamagedTelemetryTests: XCTestCase {
    func testRowsThatWereTamperedWithAreSetAsideOneByOne() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...9))
        func blob(_ number: Int) -> String { "(SELECT sealed FROM was WHERE number = \(number))" }
        try teller.folder.alter(
            teller.database,
            "CREATE TABLE was AS SELECT row_number() OVER (ORDER BY key) AS number, sealed FROM queued",
            "CREATE TABLE place AS SELECT row_number() OVER (ORDER BY key) AS number, key FROM queued",
            "UPDATE queued SET sealed = CASE (SELECT number FROM place WHERE place.key = queued.key) "
                + "WHEN 1 THEN CAST(substr(sealed, 1, 20) || x'00' || substr(sealed, 22) AS BLOB) "  // damaged
                + "WHEN 2 THEN \(blob(3)) WHEN 3 THEN \(blob(2)) "  // swapped
                + "WHEN 5 THEN \(blob(4)) "  // copied to another's place
                + "WHEN 6 THEN substr(sealed, 1, 5) WHEN 7 THEN x'' ELSE sealed END",
            "UPDATE queued SET id = randomblob(16) WHERE key = (SELECT key FROM place WHERE number = 8)",  // moved
            "DROP TABLE was",
            "DROP TABLE place"
        )
        let collector = try Collector(in: teller.folder, for: self)
        let outcome = try teller.deliver(to: collector, "--until-empty")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try collector.numbers(), [4, 9])
        XCTAssertEqual(try teller.status().row("lost")?.number("undecryptable"), 7)
        XCTAssertEqual(try teller.status().number("queued"), 0)
    }

    func testADatabaseOfANewerVersionIsLeftAsItIs() throws {
        let teller = try Teller(for: self)
        let ids = try teller.log(teller.lines(1...3))
        let kept = teller.folder.path("kept")
        try FileManager.default.copyItem(atPath: teller.data, toPath: kept)
        try teller.folder.alter(teller.database, "PRAGMA user_version = 99")
        let before = try teller.files().first { $0.name == "telemetry.sqlite" }?.bytes
        let collector = try Collector(in: teller.folder, for: self)
        for outcome in [
            try teller.run("log", "--type", "t"), try teller.run("status"), try teller.deliver(to: collector),
        ] {
            XCTAssertEqual(outcome.status, 1)
            XCTAssertTrue(outcome.errors.contains("newer version"), outcome.errors)
        }
        XCTAssertEqual(try teller.files().first { $0.name == "telemetry.sqlite" }?.bytes, before)
        try FileManager.default.removeItem(atPath: teller.data)
        try FileManager.default.moveItem(atPath: kept, toPath: teller.data)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.acceptedIDs(), ids)
    }

    func testAFileThatIsNoDatabaseIsMovedAsideAndTelemetryGoesOn() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: teller.database + suffix) }
        let text = Data("This was written over the database.\n".utf8)
        try text.write(to: URL(fileURLWithPath: teller.database))
        let outcome = try teller.run("log", "--type", "t", "--json")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertTrue(outcome.errors.contains("moved aside"), outcome.errors)
        XCTAssertEqual(try teller.files().first { $0.name == "telemetry.sqlite.damaged-1" }?.bytes, text)
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.acceptedIDs(), try outcome.objects().compactMap { $0["id"] })
    }

    func testEventsWhoseKeysAreLostAreCountedAndNewOnesArrive() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        try FileManager.default.removeItem(atPath: teller.data + "/vault")
        _ = try teller.log(teller.lines(4...6))
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.numbers(), [4, 5, 6])
        XCTAssertEqual(try teller.status().row("lost")?.number("undecryptable"), 3)
    }

    func testAKeyThatIsDamagedIsNeverReplacedAndARotationGoesOn() throws {
        let teller = try Teller(for: self)
        _ = try teller.log(teller.lines(1...3))
        let key = try teller.folder.file("data/vault/telemetry.key.1", "garbage")
        let refused = try teller.run("log", "--type", "t")
        XCTAssertEqual(refused.status, 1)
        XCTAssertTrue(refused.errors.contains("a key in the vault is damaged"), refused.errors)
        XCTAssertEqual(try String(contentsOfFile: key, encoding: .utf8), "garbage")
        XCTAssertEqual(try teller.run("rotate-key").status, 0)
        _ = try teller.log(teller.lines(4...6))
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector, "--until-empty").status, 0)
        XCTAssertEqual(try collector.numbers(), [4, 5, 6])
        XCTAssertEqual(try teller.status().row("lost")?.number("undecryptable"), 3)
    }

    func testWhileTheVaultCannotBeReachedNothingIsLostOrKeyedAnew() throws {
        let teller = try Teller(for: self)
        let ids = try teller.log(teller.lines(1...3))
        let collector = try Collector(in: teller.folder, for: self)
        let (vault, away) = (teller.data + "/vault", teller.folder.path("away"))
        try FileManager.default.moveItem(atPath: vault, toPath: away)
        try Data().write(to: URL(fileURLWithPath: vault))  // as when what is mounted there is gone
        for outcome in [try teller.run("log", "--type", "t"), try teller.deliver(to: collector)] {
            XCTAssertEqual(outcome.status, 1)
            XCTAssertTrue(outcome.errors.contains("key vault"), outcome.errors)
        }
        try FileManager.default.removeItem(atPath: vault)
        try FileManager.default.moveItem(atPath: away, toPath: vault)
        XCTAssertEqual(try teller.deliver(to: collector).status, 0)
        XCTAssertEqual(try collector.acceptedIDs(), ids)
        XCTAssertEqual(try teller.status().number("keyId"), 1)
        XCTAssertEqual(try teller.status().row("lost")?.names, [])
    }

    func testAFullDiskEndsTheLogWithASentenceAndKeepsWhatWasTold() throws {
        let teller = try Teller(for: self)
        try FileManager.default.createDirectory(atPath: teller.data, withIntermediateDirectories: true)
        try teller.folder.need("mount -t tmpfs -o size=1m tmpfs $1", teller.data)
        unmountAfterwards(teller.data)
        let full = try teller.run("log", "--lines", "--json", input: teller.lines(1...1000, padding: 2000))
        XCTAssertEqual(full.status, 1)
        XCTAssertTrue(full.errors.contains("disk is full"), full.errors)
        let told = try full.objects().compactMap { $0["id"] }
        XCTAssertGreaterThan(told.count, 20)
        try teller.folder.need("dd if=/dev/zero of=$1/filler bs=1k 2>/dev/null; true", teller.data)
        XCTAssertEqual(try teller.run("log", "--lines", input: teller.lines(1...20, padding: 2000)).status, 1)
        try teller.folder.need("mount -o remount,size=8m $1", teller.data)
        let later = try teller.log(teller.lines(1001...1003))
        let collector = try Collector(in: teller.folder, for: self)
        XCTAssertEqual(try teller.deliver(to: collector, "--until-empty").status, 0)
        let arrived = try collector.acceptedIDs()
        XCTAssertEqual(Set(told + later).subtracting(arrived), [])
        XCTAssertEqual(Array(arrived.suffix(3)), later)
    }
}
