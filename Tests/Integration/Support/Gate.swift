import Foundation
import HoldfastKit
import XCTest

/// A gate driven through the command line, and an issuer of its tickets.
struct Gate {
    /// A moment within the tickets' validity.
    static let now = "2026-05-01T20:00:00Z"

    /// The test's folder.
    let folder: Folder
    /// The issuer's key, called `k1`.
    let key: SigningKey
    /// The data directory.
    var data: String { folder.path("data") }

    /// A gate for `test` that knows the issuer's key.
    ///
    /// - Parameter event: More members of the event, such as `"admission":{"entries":2}`.
    init(for test: XCTestCase, event: String = "") throws {
        folder = try Folder(for: test)
        key = try SigningKey()
        let outcome = try install(configuration(event: event))
        XCTAssertEqual(outcome.status, 0, outcome.errors)
    }

    /// A configuration with the issuer's key.
    func configuration(version: Int = 1, event: String = "") -> String {
        """
        {"version":\(version),"events":[{"eventId":"EV1"\(event.isEmpty ? "" : ",")\(event),
        "keys":[{"keyId":"k1","publicKey":"\(Base64URL.encode(key.publicKey.bytes))","status":"active"}]}]}
        """
    }

    /// Installs a configuration.
    func install(_ text: String, _ more: String...) throws -> Outcome {
        try Holdfast.run(
            ["gate", "install-config", "-", "--data", data] + more,
            input: Data(text.utf8),
            in: folder
        )
    }

    /// The claims of a ticket that is valid on the evening of 2026-05-01.
    func claims(
        _ id: String,
        event: String = "EV1",
        zone: String = "GA",
        from: String = "2026-05-01T18:00:00Z",
        to: String = "2026-05-02T02:00:00Z",
        more: String = ",\"keyId\":\"k1\""
    ) -> String {
        """
        {"ticketId":"\(id)","eventId":"\(event)","zoneId":"\(zone)","issuedAt":"2026-04-01T00:00:00Z",\
        "validFrom":"\(from)","validTo":"\(to)"\(more)}
        """
    }

    /// A signed ticket.
    func sign(_ claims: String, by other: SigningKey? = nil, as format: TicketIssuer.Format = .holdfast) throws
        -> String
    {
        try TicketIssuer.text(claims: Array(claims.utf8), as: format, keyID: "k1", sign: (other ?? key).sign)
    }

    /// A valid ticket.
    func ticket(_ id: String) throws -> String { try sign(claims(id)) }

    /// The words of a scan at zone `GA`, with the clock at `at` (nil: the real one).
    func scanWords(
        _ more: [String] = [],
        gate: String = "north",
        at: String? = now,
        presence: String? = "0"
    ) -> [String] {
        ["gate", "scan", "--data", data, "--event", "EV1", "--zone", "GA", "--gate", gate, "--json"]
            + (at.map { ["--at", $0] } ?? []) + (presence.map { ["--presence", $0] } ?? []) + more
    }

    /// Scans lines, one per text.
    func scan(_ lines: [String], _ more: String..., at: String? = now, presence: String? = "0") throws -> Outcome {
        let input = Data(lines.map { $0 + "\n" }.joined().utf8)
        return try Holdfast.run(scanWords(more, at: at, presence: presence), input: input, in: folder)
    }

    /// Scans one text and gives the answer.
    func answer(_ text: String, _ more: String..., gate: String = "north", at: String? = now) throws -> Row {
        let input = Data((text + "\n").utf8)
        let outcome = try Holdfast.run(scanWords(more, gate: gate, at: at), input: input, in: folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let rows = try outcome.objects()
        XCTAssertEqual(rows.count, 1)
        return try XCTUnwrap(rows.first)
    }

    /// Every record.
    func export() throws -> [Row] {
        let outcome = try Holdfast.run("gate", "export", "--data", data, "--json", in: folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return try outcome.objects()
    }

    /// `gate status --json`.
    func status() throws -> Row {
        let outcome = try Holdfast.run("gate", "status", "--data", data, "--json", in: folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return try XCTUnwrap(try outcome.objects().first)
    }

    /// What SQLite says of the journal's file: `ok`, unless something is wrong with it.
    func integrity() throws -> String {
        let check =
            "import sqlite3,sys;print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone())"
        let program = try Program(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", check, folder.path("data/gate.sqlite")],
            input: Data(),
            in: folder
        )
        XCTAssertEqual(program.wait(), 0, program.errors)
        return program.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Another program that has locked the journal, until its input is closed.
    func holdingTheLock() throws -> Program {
        let script =
            "import sqlite3,sys;d=sqlite3.connect(sys.argv[1],isolation_level=None);d.execute('BEGIN IMMEDIATE');"
            + "print('locked',flush=True);sys.stdin.read()"
        let program = try Program(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", script, folder.path("data/gate.sqlite")],
            input: nil,
            in: folder
        )
        try program.waitForLines(1)
        return program
    }
}
