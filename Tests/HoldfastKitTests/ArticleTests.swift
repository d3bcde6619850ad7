#if os(Linux)
import Foundation
import HoldfastConformance
import HoldfastCurl
import HoldfastInMemory
import HoldfastKit
import HoldfastLinux
import HoldfastOpenSSL
import HoldfastSQLite
import HoldfastZlib
import XCTest

/// The code of the documentation's articles, compiled and run, as far as it is not Apple's; `ArticleTextTests` keeps the
/// two alike.
final class ArticleTests: XCTestCase {
    private let place = GatePlace(event: "EV1", zone: "GA")
    private let tokens = ScriptedTokenProvider()
    private let url = "http://127.0.0.1:9/v1/telemetry/batch"
    private let other = Array(
        """
        {"ticketId":"T-2","eventId":"EV1","zoneId":"GA","issuedAt":1700000000,"validFrom":1700000000,"validTo":9999999999}
        """.utf8
    )
    private var shown: [String] = []

    let claims = Array(
        """
        {"ticketId":"T-1","eventId":"EV1","zoneId":"GA","issuedAt":1700000000,"validFrom":1700000000,"validTo":9999999999}
        """.utf8
    )

    func configuration(for key: PublicKey) -> [UInt8] {
        let key = Base64URL.encode(key.bytes)
        return Array(
            #"{"version":1,"events":[{"eventId":"EV1","keys":[{"keyId":"k1","publicKey":"\#(key)"}]}]}"#.utf8
        )
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("article-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await body(folder.path)
    }

    func testComposingEverythingAtOnce() async throws {
        try await withFolder { folder in
            let gatePorts = try await GatePorts.platform(directory: folder)
            let gate = try await TicketGate(at: place, ports: gatePorts)

            let telemetryPorts = try await TelemetryPorts.platform(directory: folder)
            let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: telemetryPorts)
            XCTAssertNil(gate.configuration)
            await telemetry.close()
        }
    }

    func testReplacingOnePart() async throws {
        try await withFolder { folder in
            var ports = try await TelemetryPorts.platform(directory: folder)
            ports.transport = MyTransport()
            ports.diagnostics = MyDiagnostics()
            let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: ports)
            try await telemetry.record("a")
            let report = await telemetry.flush()
            XCTAssertEqual(report.delivery.delivered, 1)
            await telemetry.close()
        }
    }

    func testComposingPartByPart() async throws {
        let sink = MyDiagnostics()
        try await withFolder { folder in
            let journal = try SQLiteQueueStore(path: folder + "/telemetry.sqlite", diagnostics: sink)
            let ports = TelemetryPorts(
                journal: journal,
                vault: try FileKeyVault(directory: folder + "/vault"),
                clock: SystemClock(),
                cipher: try OpenSSLCipher(),
                random: SystemRandom(),
                compressor: ZlibCompressor(),
                transport: CurlTransport(),
                connectivity: NetlinkConnectivity(),
                power: SysfsPower(),
                diagnostics: sink
            )
            let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: ports)
            try await telemetry.record("a")
            await telemetry.close()
        }
    }

    func testAGate() async throws {
        let issuer = ToySigner(seed: 1)
        let configuration = configuration(for: issuer.publicKey)
        let text = try TicketIssuer.text(claims: claims, as: .holdfast, sign: issuer.sign)
        let ports = GatePorts.inMemory()
        let place = GatePlace(event: "EV1", zone: "GA", gate: "north-3")
        let gate = try await TicketGate(at: place, ports: ports)
        try await gate.install(configuration: configuration)
        for text in [text, "T"] {
            let decision = await gate.admit(text)
            switch decision.verdict {
            case .accepted(let ticket): showGreen(ticket.ticketID)
            case .denied(let reasons): showRed(reasons.map(\.rawValue))
            }
        }
        XCTAssertEqual(shown, ["T-1", "malformed"])
        let decision = await gate.admit(try TicketIssuer.text(claims: other, as: .holdfast, sign: issuer.sign))
        try await gate.annul(decision.scanID)
    }

    func testAConfigurationThatIsRefused() async throws {
        let gate = try await TicketGate(at: place, ports: .inMemory())
        let older = configuration(for: ToySigner(seed: 1).publicKey)
        let newer = String(decoding: older, as: UTF8.self).replacingOccurrences(of: "version\":1", with: "version\":2")
        try await gate.install(configuration: Array(newer.utf8))
        func showUpToDate() { shown.append("up to date") }
        func report(_ text: String) { shown.append(text) }
        for configuration in [older, Array("{}".utf8)] {
            do {
                try await gate.install(configuration: configuration)
            } catch let error as ConfigurationError {
                switch error.code {
                case .olderVersion: showUpToDate()
                default: report("\(error)")
                }
            }
        }
        XCTAssertEqual(shown, ["up to date", "key configuration: missing_member at version"])
    }

    func testHandingOver() async throws {
        let gate = try await TicketGate(at: place, ports: .inMemory())
        for _ in 0..<2 {
            _ = await gate.admit(UUID().uuidString)
            let report = await gate.sync { records in
                let refused = try await backEnd.upload(records)
                return .handled(refused.mapValues { .rejected(reason: $0) })
            }
            if let obstacle = report.obstacle { showWaiting(obstacle.rawValue) }
            XCTAssertTrue(report.isComplete)
        }
        _ = await gate.admit("another")
        let (transport, clock) = (ScriptedTransport(), ManualClock())
        let sender = HTTPRecordSender(endpoint: url, token: tokens, transport: transport, clock: clock)
        let report = await gate.sync(via: sender)
        XCTAssertEqual(report.delivered, 1)
        shown = []
        let status = try await gate.status()
        show(status.queued)
        XCTAssertEqual(shown, ["0"])
    }

    func testKeys() async throws {
        let gate = try await TicketGate(at: place, ports: .inMemory())
        let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: .inMemory())
        try await telemetry.record("a")
        try await telemetry.rotateKey()
        try await gate.rotateKey()
        let key = await telemetry.status().keyID
        try await telemetry.rotateKey(resealing: true)
        try await gate.resealRecords()
        let next = await telemetry.status().keyID
        XCTAssertNotEqual(key, next)
        try await telemetry.erase()
        await telemetry.close()
    }

    func testTelemetry() async throws {
        let ports = TelemetryPorts.inMemory()
        let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: ports)
        telemetry.log("screen.view", ["name": "orders", "ms": 182])
        try await telemetry.record("error", ["code": 17])
        struct Timing: Encodable {
            var name: String
            var milliseconds: Int
        }
        telemetry.log("timing", encoding: Timing(name: "launch", milliseconds: 412))
        try telemetry.startSession()
        await telemetry.accessTokenChanged()
        await telemetry.flush()
        try await telemetry.setConsent(.granted)
        await telemetry.close()
    }

    func testAskingWhyNothingIsSent() async throws {
        let network = SwitchableConnectivity()
        network.set(reachable: false)
        let telemetry = try await Telemetry(
            endpoint: url,
            token: AppTokens(),
            ports: .inMemory(connectivity: network)
        )
        try await telemetry.record("a")
        let status = await telemetry.status()
        if status.queued > 0, let why = status.why { showWaiting(why.rawValue) }
        await telemetry.close()
        for await status in telemetry.statusUpdates { show(status.queued) }
        XCTAssertEqual(shown.first, "offline")
    }

    func testConsentThatIsPending() async throws {
        var policy = TelemetryPolicy()
        policy.initialConsent = .pending
        let telemetry = try await Telemetry(endpoint: url, token: tokens, policy: policy, ports: .inMemory())
        try await telemetry.record("a")
        let report = await telemetry.flush()
        XCTAssertEqual(report.status.why, .consentPending)
        await telemetry.close()
    }

    func testATransportIsChecked() async throws {
        let server = "http://127.0.0.1:9"  // nobody there: the promises are broken, and it says so
        let broken = await Conformance.transport.run { Conformance.TransportSubject(StackTransport(), server: server) }
        XCTAssertNotEqual(broken, [])
    }

    func testACompressorIsChecked() async throws {
        let broken = await Conformance.compressor.run {
            Conformance.CompressorSubject(ArchiverCompressor(), gunzip: { try? GzipReader.gunzip($0, limit: 1 << 20) })
        }
        XCTAssertEqual(broken, [])
    }

    func testTicketsInATest() async throws {
        let clock = ManualClock()
        let gate = try await TicketGate(at: place, ports: .inMemory(clock: clock))
        clock.advance(by: .hours(2))
        let issuer = ToySigner(seed: 1)
        let text = try TicketIssuer.text(claims: claims, as: .holdfast, sign: issuer.sign)
        try await gate.install(configuration: configuration(for: issuer.publicKey))
        let first = await gate.admit(text)
        clock.advance(by: .minutes(1))
        let second = await gate.admit(text)
        XCTAssertTrue(first.isAccepted)
        XCTAssertEqual(second.reasons, [.alreadyUsed])
    }

    func testARestartInATest() async throws {
        let (clock, text) = (ManualClock(), "no ticket")
        let ports = GatePorts.inMemory(clock: clock)
        let before = try await TicketGate(at: place, ports: ports)
        _ = await before.admit(text)
        let after = try await TicketGate(at: place, ports: ports)
        let status = try await after.status()
        XCTAssertEqual(status.queued, 1)
    }

    func testFailuresInATest() async throws {
        let transport = ScriptedTransport([.status(503), .fail(.timedOut)])
        let network = SwitchableConnectivity()
        let ports = TelemetryPorts.inMemory(transport: transport, connectivity: network)
        let telemetry = try await Telemetry(endpoint: "https://example.org", ports: ports)
        network.set(reachable: false)
        try await telemetry.record("error", ["code": 17])
        await telemetry.close()
    }

    func testALockedVaultInATest() async throws {
        let vault = InMemoryKeyVault()
        vault.lock()
        let ports = TelemetryPorts.inMemory(vault: vault)
        let telemetry = try await Telemetry(endpoint: url, token: tokens, ports: ports)
        telemetry.log("a")
        await telemetry.flush()
        let status = await telemetry.status()
        XCTAssertEqual(status.why, .vaultUnavailable)
        await telemetry.close()
    }

    private func show(_ count: Int) { shown.append(String(count)) }
    private func showWaiting(_ why: String) { shown.append(why) }
    private func showGreen(_ ticket: String) { shown.append(ticket) }
    private func showRed(_ reasons: [String]) { shown += reasons }
}

private let backEnd = BackEnd()

private struct BackEnd {
    func upload(_ records: [GateRecord]) async throws -> [EntryID: String] {
        records.count == 1 ? [records[0].scanID: "not known"] : [:]
    }
}

private let account = Account()

private struct Account {
    func refresh(unless token: String) async throws {}
    func token() async throws -> String { "token" }
}

struct AppTokens: AccessTokenProvider {
    func token(refused: AccessToken?) async throws -> AccessToken? {
        if let refused { try await account.refresh(unless: refused.value) }
        return AccessToken(try await account.token())
    }
}

private struct MyDiagnostics: DiagnosticSink {
    func record(_ event: DiagnosticEvent) {}
}

private let archiver = Archiver()

private struct Archiver: Sendable {
    let lastError = -1
    func gzip(_ bytes: [UInt8]) -> [UInt8]? { try? ZlibCompressor().gzip(bytes) }
}

struct ArchiverCompressor: Compressor {
    func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let packed = archiver.gzip(bytes) else { throw CompressionError(platformCode: archiver.lastError) }
        return packed
    }
}

private let myStack = Stack()

private struct Stack: Sendable {
    func post(
        _ url: String,
        _ headers: [HeaderField],
        _ body: [UInt8],
        timeout: Interval
    ) async throws -> TransportResponse {
        throw StackError(number: 61, kind: .other)
    }
}

private struct StackError: Error {
    enum Kind { case timeout, cancelled, unfitRequest, other }

    var number: Int
    var kind: Kind
}

struct StackTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let answer = try await myStack.post(request.url, request.headers, request.body, timeout: request.timeout)
            return TransportResponse(status: answer.status, headers: answer.headers, body: answer.body)
        } catch let error as StackError {
            throw TransportError(error.code, platformCode: error.number)
        }
    }
}

extension StackError {
    var code: TransportError.Code {
        switch kind {
        case .timeout: return .timedOut
        case .cancelled: return .cancelled
        case .unfitRequest: return .invalidRequest
        case .other: return .connectionFailed
        }
    }
}
#endif
