import Foundation
import HoldfastKit

/// The demo's first half: tickets are issued, scanned without a network, survive a kill, and are handed over to a server
/// that fails.
struct GateStory {
    private let stage: DemoStage
    private let data: String
    private let start = PlatformClock().now().wall

    init(on stage: DemoStage) {
        self.stage = stage
        data = stage.path("gate")
    }

    /// Plays it.
    ///
    /// - Throws: `CommandFailure` when anything is not as it was promised.
    func play() throws {
        try stage.say("== An issuer makes its keys, and a gate is told of them")
        _ = try stage.run(["keys", "generate", "--event", "DEMO", "--key-id", "k1", "--out", stage.path("keys")])
        let installed = try stage.run(["gate", "install-config", stage.path("keys/k1.json"), "--data", data])
        try stage.say(installed.output.trimmed)

        let tickets = try signTickets()
        try scanOffline(tickets)
        let crowd = try killInTheMiddle()
        try handOver(atLeast: crowd)
    }

    private func signTickets() throws -> [String] {
        try stage.say("\n== Tickets are signed in each form, the last one by openssl alone")
        let key = stage.path("keys/k1.pem")
        var tickets = try ["holdfast", "compact", "jws"].map { form in
            let arguments = ["ticket", "sign", "--key", key, "--format", form]
            return try stage.run(arguments, input: claims("T-\(form)")).output.trimmed
        }
        tickets.append(
            try stage.run(fixture: "sign-with-openssl", ["--key", key], input: claims("T-openssl")).trimmed
        )
        return tickets
    }

    private func scanOffline(_ tickets: [String]) throws {
        try stage.say(
            "\n== A gate scans without a network: each ticket once, then the first again, then what is no ticket"
        )
        let key = try SigningKey(pem: try String(contentsOfFile: stage.path("keys/k1.pem"), encoding: .utf8))
        let stranger = try SigningKey()
        let lines = [
            (tickets[0], "accepted"), (tickets[1], "accepted"), (tickets[2], "accepted"), (tickets[3], "accepted"),
            (tickets[0], "already_used"),
            (try sign(claims("T-forged"), with: stranger), "bad_signature"),
            (try sign(claims("T-backstage", zone: "BACKSTAGE"), with: key), "wrong_zone"),
            (try sign(claims("T-late", from: -.days(2)), with: key), "expired"),
            ("https://example.com/not-a-ticket", "unsupported_format"),
            (String(tickets[1].dropLast(3)), "malformed"),
        ]
        let input = lines.map { $0.0 + "\r\n" }.joined()
        let text = try stage.run(scan, input: input).output
        try stage.say(text.trimmed)
        let reasons = try export().suffix(lines.count).map { $0["reason"]?.stringValue ?? "accepted" }
        guard reasons == lines.map(\.1) else { throw CommandFailure("the demo failed: decided \(reasons)") }
    }

    /// Kills the gate while a crowd passes, starts it again, and checks that it remembers everything it said.
    ///
    /// - Returns: How many records there must be at least.
    private func killInTheMiddle() throws -> Int {
        try stage.say("\n== A crowd of 400 passes; in the middle of it the gate is killed (kill -9)")
        let key = try SigningKey(pem: try String(contentsOfFile: stage.path("keys/k1.pem"), encoding: .utf8))
        let crowd = try (1...400).map { try sign(claims("C-\($0)"), with: key) + "\n" }.joined()
        let before = try export().count
        let gate = try stage.start(scan + ["--json"], input: crowd)
        var printed = ""
        while printed.filter({ $0 == "\n" }).count < 150 {
            let text = gate.read()
            guard !text.isEmpty else { throw CommandFailure("the demo failed: the gate stopped by itself") }
            printed += text
        }
        gate.kill()
        printed += gate.readAll()
        gate.wait()
        let shown = try printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
            try JSONValue.parse(String($0))["scanId"]?.stringValue ?? ""
        }
        let kept = Set(try export().compactMap { $0["scanId"]?.stringValue })
        guard shown.allSatisfy(kept.contains) else {
            throw CommandFailure("the demo failed: a green light was forgotten")
        }
        try stage.say("killed after \(shown.count) answers; all of them are in the journal")

        try stage.say("\n== The gate starts again and the whole crowd is scanned once more")
        let second = try stage.run(scan + ["--json"], input: crowd).output.split(separator: "\n")
        let decisions = try second.map { try JSONValue.parse(String($0))["decision"]?.stringValue }
        let accepted = decisions.filter { $0 == "accepted" }.count
        let known = try export().count - before - second.count
        guard accepted == 400 - known, second.count == 400 else {
            throw CommandFailure("the demo failed: \(accepted) of 400 were accepted after \(known) had been")
        }
        try stage.say("\(known) were inside already and are told so; the other \(accepted) pass")
        return before + known + second.count
    }

    private func handOver(atLeast expected: Int) throws {
        try stage.say("\n== Online again: the records are handed over to a server that fails in every way it can")
        let records = try export()
        guard records.count >= expected else { throw CommandFailure("the demo failed: records are missing") }
        // Beyond the first batch of 100, which the server takes once without an answer.
        let refused = records[150]["scanId"]?.stringValue ?? ""
        let rejection: JSONValue = .object([refused: ["outcome": "rejected", "reason": "not on the list"]])
        let collector = try DemoCollector(
            named: "records",
            script: [
                "rules": [["when": ["contains": .string(refused)], "outcomes": rejection]],
                "steps": [
                    ["status": 503, "retryAfter": "1"], ["drop": "before"], ["nonsense": "html"], ["drop": "after"],
                    ["status": 429, "retryAfter": "2"], ["status": 401], ["nonsense": "not-http"],
                    ["nonsense": "truncated"],
                ],
            ],
            on: stage
        )
        for _ in 0..<40 {
            let command = ["gate", "sync", "--data", data, "--to", "\(collector.base)/v1/gate/records"]
            let (code, output) = try stage.run(command, expecting: nil)
            try stage.say(output.trimmed)
            if code == 0 { break }
            let status = try JSONValue.parse(try stage.quietly(["gate", "status", "--data", data, "--json"]).trimmed)
            // A person who asks again does not wait for a back-off, but the server's word is kept.
            if status["why"] == "server_wait" {
                Thread.sleep(forTimeInterval: Double(status["waitMs"]?.integerValue ?? 0) / 1000)
            }
        }
        try compare(try collector.acceptedIDs(), refused: refused)
        try collector.stop()
    }

    private func compare(_ accepted: [String], refused: String) throws {
        let states = Dictionary(grouping: try export()) { $0["state"]?.stringValue ?? "" }
            .mapValues { Set($0.compactMap { $0["scanId"]?.stringValue }) }
        let delivered = states["delivered"] ?? []
        let rejected = states["rejected"] ?? []
        guard states.keys.allSatisfy({ $0 == "delivered" || $0 == "rejected" }) else {
            throw CommandFailure("the demo failed: records are left in the queue")
        }
        guard delivered == Set(accepted), accepted.count == delivered.count, rejected == [refused] else {
            throw CommandFailure("the demo failed: what was recorded is not what the server took")
        }
        try stage.say(
            "\nrecorded \(delivered.count + rejected.count), taken by the server \(accepted.count), refused by it "
                + "\(rejected.count) and kept aside: nothing lost, nothing twice"
        )
    }

    // MARK: - Help

    private var scan: [String] {
        ["gate", "scan", "--data", data, "--event", "DEMO", "--zone", "GA", "--gate", "north-1", "--presence", "0"]
    }

    private func export() throws -> [JSONObject] {
        let child = try stage.quietly(["gate", "export", "--data", data, "--json"])
        return try child.split(separator: "\n").map { try JSONValue.parse(String($0)).objectValue ?? [:] }
    }

    private func claims(_ id: String, zone: String = "GA", from offset: Interval = -.hours(1)) -> String {
        let from = start + offset
        return """
            {"ticketId":"\(id)","eventId":"DEMO","zoneId":"\(zone)","issuedAt":"\(from.rfc3339)",\
            "validFrom":"\(from.rfc3339)","validTo":"\((from + .days(1)).rfc3339)","keyId":"k1"}
            """
    }

    private func sign(_ claims: String, with key: SigningKey) throws -> String {
        try TicketIssuer.text(claims: Array(claims.utf8), as: .compact, sign: key.sign)
    }
}

extension Interval {
    /// The same length the other way.
    fileprivate static prefix func - (interval: Interval) -> Interval { .zero - interval }
}
