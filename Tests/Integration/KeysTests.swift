import XCTest

/// `keys generate`: what it writes, and that it never replaces anything.
final class KeysTests: XCTestCase {
    private func generate(_ key: String = "k1", into path: String, in folder: Folder) throws -> Outcome {
        try Holdfast.run("keys", "generate", "--event", "EV \"1\"", "--key-id", key, "--out", path, in: folder)
    }

    private func mode(_ path: String) throws -> Int {
        try XCTUnwrap(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    func testWritesASecretOnlyItsOwnerReadsAndAConfiguration() throws {
        let folder = try Folder(for: self)
        let outcome = try generate(into: folder.path("made/keys"), in: folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try mode(folder.path("made/keys/k1.pem")), 0o600)
        let secret = try String(contentsOf: folder.url("made/keys/k1.pem"), encoding: .utf8)
        XCTAssertTrue(secret.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        XCTAssertFalse(outcome.output.contains(String(secret.dropFirst(30).prefix(20))))
        let key = try String(contentsOf: folder.url("made/keys/k1.pub"), encoding: .utf8)
        XCTAssertEqual(
            try String(contentsOf: folder.url("made/keys/k1.json"), encoding: .utf8),
            "{\"version\":1,\"events\":[{\"eventId\":\"EV \\\"1\\\"\",\"keys\":"
                + "[{\"keyId\":\"k1\",\"publicKey\":\"\(key.dropLast())\",\"status\":\"active\"}]}]}\n"
        )
    }

    func testSaysWhatItMadeAsJSON() throws {
        let folder = try Folder(for: self)
        let outcome = try Holdfast.run(
            "keys",
            "generate",
            "--event",
            "E",
            "--key-id",
            "k",
            "--out",
            folder.path("o"),
            "--json",
            in: folder
        )
        let made = try XCTUnwrap(try outcome.objects().first)
        XCTAssertEqual(made["secretFile"], folder.path("o/k.pem"))
        XCTAssertEqual(made["publicKey"]?.count, 43)
    }

    func testReplacesNothing() throws {
        let folder = try Folder(for: self)
        XCTAssertEqual(try generate(into: folder.path("keys"), in: folder).status, 0)
        let secret = try Data(contentsOf: folder.url("keys/k1.pem"))
        for name in ["k1.pem", "k1.pub"] {
            let outcome = try generate(into: folder.path("keys"), in: folder)
            XCTAssertEqual(outcome.status, 1)
            XCTAssertEqual(outcome.errors, "holdfast: \(folder.path("keys/\(name)")) is there already\n")
            if name == "k1.pem" { try FileManager.default.removeItem(at: folder.url("keys/k1.pem")) }
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path("keys/k1.pem")), "half a pair was left")
        XCTAssertEqual(try generate("k2", into: folder.path("keys"), in: folder).status, 0)
        XCTAssertNotEqual(try Data(contentsOf: folder.url("keys/k2.pem")), secret)
    }

    func testRefusesNamesThatAreNoFileNames() throws {
        let folder = try Folder(for: self)
        for key in ["", ".k", "../k", "a/b", "é", String(repeating: "k", count: 65)] {
            XCTAssertEqual(try generate(key, into: folder.path("keys"), in: folder).status, 2, key)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path("keys")))
    }

    func testFailsWhereTheFolderCannotBeMade() throws {
        let folder = try Folder(for: self)
        let file = try folder.file("file", "")
        let outcome = try generate(into: "\(file)/keys", in: folder)
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.errors.contains("cannot be made"), outcome.errors)
    }
}
