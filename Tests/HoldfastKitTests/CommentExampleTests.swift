#if os(Linux)
import Foundation
import HoldfastConformance
import HoldfastInMemory
import HoldfastKit
import HoldfastOpenSSL
import HoldfastSQLite
import XCTest

/// The examples in the comments of types, compiled and run, as far as they are neither Apple's nor a port's, which have
/// tests of their own; `testEveryExampleIsCompiled` keeps them alike.
final class CommentExampleTests: XCTestCase {
    private let place = GatePlace(event: "EV1", zone: "GA")

    func testAGate() async throws {
        let ports = GatePorts.inMemory()
        let key = Base64URL.encode(ToySigner(seed: 1).publicKey.bytes)
        let bytes = Array(
            #"{"version":1,"events":[{"eventId":"EV1","keys":[{"keyId":"k1","publicKey":"\#(key)"}]}]}"#.utf8
        )
        let scanner = Scanner(readings: AsyncStream { $0.finish() })
        func show(_ decision: Decision) {}
        let gate = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA", gate: "north-3"), ports: ports)
        try await gate.install(configuration: bytes)
        for await reading in scanner.readings {
            let decision = await gate.admit(reading)  // recorded before it returns
            show(decision)
        }
        let report = await gate.sync { batch in try await api.upload(batch) }
        XCTAssertTrue(report.isComplete)
    }

    func testABackEndThatIsAClosure() async throws {
        let gate = try await TicketGate(at: place, ports: .inMemory())
        _ = await gate.admit("no ticket")
        let sender = ClosureSender { records in
            try await api.upload(records.map(\.json))  // throws: the same records come again later
            return .handled()  // all accepted
        }
        let report = await gate.sync(via: sender)
        XCTAssertEqual(report.delivered, 1)
    }

    func testADeliveryOfOnesOwn() async throws {
        let ports = TelemetryPorts.inMemory()
        let stream = StreamName("lines")
        let ring = KeyRing(stream: stream, vault: ports.vault, random: ports.random)
        let sealer = Sealer(stream: stream, ring: ring, cipher: ports.cipher)
        let (drafts, sent) = (["one", "two"].map { Array($0.utf8) }, Received())
        _ = try await sealer.append(to: ports.journal, durability: .processDeath) { key in
            try drafts.map { text in
                let id = EntryID(random: ports.random)
                let sealed = try sealer.seal(text, id: id, with: key)
                return Draft(
                    id: id,
                    stream: stream,
                    recordedAt: ports.clock.now().wall,
                    keyID: key.id,
                    sealed: sealed
                )
            }
        }
        let courier = Courier(
            stream: stream,
            store: ports.journal,
            sealer: sealer,
            delivery: LineDelivery(write: { await sent.add($0) }),
            clock: ports.clock,
            random: ports.random,
            diagnostics: ports.diagnostics
        )
        let report = await courier.drain().report
        XCTAssertEqual(report.delivered, 2)
        let received = await sent.all
        XCTAssertEqual(received, [Array("one\ntwo".utf8)])
    }

    func testKeepsThePromises() async {
        let broken = await Conformance.payloadCipher.run { try OpenSSLCipher() }
        XCTAssertEqual(broken, [])
    }

    func testAVaultWithTroubles() async throws {
        let vault = InMemoryKeyVault()
        vault.lock()  // as before a device's first unlock: every call throws
        vault.unlock()
        vault.damage("telemetry.key.1")  // reading this one throws `.damaged`; the others are fine
        let other = try await vault.secret(named: "telemetry.key.2")
        XCTAssertNil(other)
    }

    func testAClockInHand() {
        let clock = ManualClock()
        clock.advance(by: .minutes(5))  // time passes
        clock.setWall(clock.now().wall - .hours(1))  // somebody sets the wall clock back
        clock.reboot(after: .seconds(40))  // the device restarts: uptime counts anew under another boot id
        XCTAssertEqual(clock.now().uptime, .zero)
    }

    func testAServerThatIsSlow() async throws {
        let request = TransportRequest(url: "https://example.org")
        let transport = ScriptedTransport([.status(503), .fail(.timedOut)])  // afterwards always 200
        transport.hold()  // from now on requests arrive but get no answer …
        let answer = Task { try await transport.send(request) }
        await transport.arrivals(1)  // … and a test can wait for one to be in flight
        transport.release()
        XCTAssertEqual(transport.requests.count, 1)
        let status = try await answer.value.status
        XCTAssertEqual(status, 503)
    }

    func testADiskThatIsFull() async throws {
        let full = FullDisk(base: InMemoryQueueStore())
        do {
            _ = try await full.append([], durability: .processDeath)
            XCTFail("it took something")
        } catch let error as QueueStoreError {
            XCTAssertEqual(error.code, .full)
        }
    }

    func testEveryExampleIsCompiled() throws {
        let sources = try ["Sources", "Adapters"].flatMap(swiftFiles)
        let compiled = try (sources + swiftFiles("Tests")).map { "\n" + code(try lines($0)) }
        var count = 0
        for file in sources where file.deletingLastPathComponent().lastPathComponent != "Ports" {
            var example: [String]?
            for line in try lines(file).map({ $0.trimmingCharacters(in: .whitespaces) }) {
                if line == "/// ```swift" {
                    example = []
                } else if line == "/// ```", let lines = example {
                    let text = "\n" + code(lines)
                    XCTAssertTrue(compiled.contains { $0.contains(text) }, "\(file.path): not compiled:\(text)")
                    example = nil
                    count += 1
                } else {
                    example?.append(String(line.dropFirst(3)))
                }
            }
        }
        XCTAssertGreaterThan(count, 15)
    }

    private func swiftFiles(_ folder: String) throws -> [URL] {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try FileManager.default.subpathsOfDirectory(atPath: package.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(".swift") }.map { package.appendingPathComponent(folder).appendingPathComponent($0) }
    }

    private func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The code of the lines, without what an indentation or a comment makes different.
    private func code(_ lines: [String]) -> String {
        lines.map { " \($0)".components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }
}

private struct Scanner {
    let readings: AsyncStream<ScanReading>
}

private let api = BackEnd()

private struct BackEnd {
    func upload(_ records: [GateRecord]) async throws {}
    func upload(_ records: [[UInt8]]) async throws {}
}

private actor Received {
    var all: [[UInt8]] = []
    func add(_ bytes: [UInt8]) { all.append(bytes) }
}

struct LineDelivery: BatchDelivery {
    let write: @Sendable ([UInt8]) async throws -> Void
    let framing = BatchFraming(overhead: 0, separator: 1)
    func size(of entry: OpenedEntry) -> Int? { entry.payload.count }
    func deliver(_ batch: [OpenedEntry]) async -> DeliveryResult {
        do { try await write(Array(batch.map(\.payload).joined(separator: [10]))) } catch {
            return DeliveryResult(.backOff(serverWait: nil))
        }
        return .delivered(batch)
    }
}

struct FullDisk: JournalWrapper {
    let base: any Journal

    func append(_ drafts: [Draft], durability: Durability) async throws -> [AppendOutcome] {
        throw QueueStoreError(.full)
    }
}

/// Not run: it is a place of a real gate's.
private func aGatesJournal(_ draft: Draft, _ sink: any DiagnosticSink) async throws -> [AppendOutcome] {
    let store = try SQLiteQueueStore(path: "/var/lib/gate/gate.sqlite", diagnostics: sink)
    let outcomes = try await store.append([draft], durability: .powerLoss)
    return outcomes
}
#endif
