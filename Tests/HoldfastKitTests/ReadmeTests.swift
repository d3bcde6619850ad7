#if os(Linux)
import Foundation
import HoldfastCurl
import HoldfastInMemory
import HoldfastKit
import HoldfastLinux
import HoldfastOpenSSL
import HoldfastSQLite
import XCTest

/// The README's code, compiled and run; `testTheCodeIsTheReadmes` keeps the two alike.
final class ReadmeTests: XCTestCase {
    private let place = GatePlace(event: "EV1", zone: "GA")
    private let tokens = ScriptedTokenProvider()
    private let url = "http://127.0.0.1:9/v1/telemetry/batch"
    private let issuer = try? OpenSSLSigner()

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await body(folder.path)
    }

    func testAGate() async throws {
        let signer = try XCTUnwrap(issuer)
        let claims = """
            {"ticketId":"T-1","eventId":"EV1","zoneId":"GA","issuedAt":1700000000,"validFrom":1700000000,\
            "validTo":9999999999}
            """
        let text = try TicketIssuer.text(claims: Array(claims.utf8), as: .holdfast, sign: signer.sign)
        let configuration = Array(
            """
            {"version":1,"events":[{"eventId":"EV1","keys":[{"keyId":"k1","publicKey":"\
            \(Base64URL.encode(signer.publicKey.bytes))"}]}]}
            """.utf8
        )
        var opened = 0
        func open() { opened += 1 }
        try await withFolder { folder in
            let gate = try await TicketGate(
                at: GatePlace(event: "EV1", zone: "GA", gate: "north-3"),
                ports: .platform(directory: folder)
            )
            try await gate.install(configuration: configuration)
            let decision = await gate.admit(text)  // recorded before it returns
            if decision.isAccepted { open() }
            let report = await gate.sync { records in try await api.upload(records) }
            XCTAssertEqual(opened, 1)
            XCTAssertEqual(report.delivered, 1)
        }
    }

    func testTelemetry() async throws {
        try await withFolder { folder in
            let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: .platform(directory: folder))
            telemetry.log("screen.view", ["name": "orders", "ms": 182])  // any thread, returns at once
            try await telemetry.record("error", ["code": 17])  // returns when durable
            let status = await telemetry.status()
            XCTAssertEqual(status.queued, 2)
            await telemetry.close()
        }
    }

    func testComposingByHand() async throws {
        try await withFolder { folder in
            let sink = StandardErrorDiagnostics()
            let ports = GatePorts(
                journal: try SQLiteQueueStore(path: folder + "/gate.sqlite", diagnostics: sink),
                vault: try FileKeyVault(directory: folder + "/vault"),
                clock: SystemClock(),
                verifier: try OpenSSLVerifier(),
                cipher: try OpenSSLCipher(),
                digest: try OpenSSLDigest(),
                random: SystemRandom(),
                calendar: ZoneInfoCalendar(),
                diagnostics: sink
            )
            let decision = try await TicketGate(at: place, ports: ports).admit("no ticket")
            XCTAssertEqual(decision.reasons, [.unsupportedFormat])
        }
    }

    func testSwappingInTests() async throws {
        let clock = ManualClock()
        let gate = try await TicketGate(at: place, ports: .inMemory(clock: clock))
        clock.advance(by: .hours(2))
        let decision = await gate.admit("no ticket")
        XCTAssertEqual(decision.at, clock.now())
    }

    func testATransportOfOnesOwn() async throws {
        let answer = try await MyTransport().send(TransportRequest(url: url))
        XCTAssertEqual(answer.status, 204)
    }

    func testTheCodeIsTheReadmes() throws {
        let here = URL(fileURLWithPath: #filePath)
        let readme = here.deletingLastPathComponent().appendingPathComponent("../../README.md").standardized
        func lines(_ url: URL) throws -> [String] {
            try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
                .map { $0.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces) }
        }
        let tested = Set(try lines(here))
        var isSwift = false
        var compared = 0
        for line in try lines(readme) {
            if line.hasPrefix("```") {
                isSwift = line == "```swift"
            } else if isSwift {
                compared += 1
                XCTAssertTrue(tested.contains(line), "not compiled here: \(line)")
            }
        }
        XCTAssertGreaterThan(compared, 25)
    }
}

private let api = BackEnd()

private struct BackEnd {
    func upload(_ records: [GateRecord]) async throws {}
}

private let myStack = Stack()

private struct Stack: Sendable {
    func post(
        _ url: String,
        _ headers: [HeaderField],
        _ body: [UInt8],
        timeout: Interval
    ) async throws -> TransportResponse {
        TransportResponse(status: 204)
    }
}

struct MyTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer = try await myStack.post(request.url, request.headers, request.body, timeout: request.timeout)
        return TransportResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
#endif
