import Foundation
import HoldfastConformance
import HoldfastDomain
import HoldfastInMemory
import XCTest

/// A port's documentation is its contract: its promises are those that are checked, and its example is one that works.
final class PortDocumentationTests: XCTestCase {
    private static let promises: [String: [String]] = [
        "AccessTokenProvider": Conformance.accessTokenProvider.checks.map(\.name),
        "BatchSender": Conformance.batchSender.checks.map(\.name),
        "CivilCalendar": Conformance.civilCalendar.checks.map(\.name)
            + Conformance.civilCalendarZones.checks.map(\.name),
        "Compressor": Conformance.compressor.checks.map(\.name),
        "Connectivity": Conformance.connectivity.checks.map(\.name),
        "DeviceClock": Conformance.deviceClock.checks.map(\.name),
        "DiagnosticSink": Conformance.diagnosticSink.checks.map(\.name),
        "Digest": Conformance.digest.checks.map(\.name),
        "EntryArchive": Conformance.entryArchive.checks.map(\.name),
        "KeyVault": Conformance.keyVault.checks.map(\.name),
        "PayloadCipher": Conformance.payloadCipher.checks.map(\.name)
            + Conformance.payloadCipherExchange.checks.map(\.name),
        "PowerMonitor": Conformance.powerMonitor.checks.map(\.name),
        "QueueStore": Conformance.queueStore.checks.map(\.name) + Conformance.failingJournal.checks.map(\.name)
            + Conformance.durableJournal.checks.map(\.name),
        "RandomSource": Conformance.randomSource.checks.map(\.name),
        "SignatureVerifier": Conformance.signatureVerifier.checks.map(\.name),
        "StateStore": Conformance.stateStore.checks.map(\.name),
        "Transport": Conformance.transport.checks.map(\.name),
    ]

    private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func source(_ path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }

    /// The comment above the protocol.
    private func documentation(of port: String) throws -> [Substring] {
        let lines = try source("Sources/HoldfastDomain/Ports/\(port).swift").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let declaration = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("public protocol \(port)") }, port)
        let comment = lines[..<declaration].reversed().prefix { $0.hasPrefix("///") }.reversed()
        return comment.map { $0.dropFirst($0.hasPrefix("/// ") ? 4 : 3) }
    }

    func testEveryPortIsInTheTable() throws {
        let folder = "Sources/HoldfastDomain/Ports"
        var ports: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: package.appendingPathComponent(folder).path) {
            for line in try source("\(folder)/\(file)").split(separator: "\n") where line.hasPrefix("public protocol ")
            {
                ports.insert(String(line.dropFirst(16).prefix { $0.isLetter }))
            }
        }
        XCTAssertEqual(ports, Set(Self.promises.keys))
    }

    func testThePromisesAreThoseThatAreChecked() throws {
        for (port, names) in Self.promises {
            let listed = try documentation(of: port).filter { $0.hasPrefix("- `") }
                .map { String($0.dropFirst(3).prefix { $0 != "`" }) }
            XCTAssertEqual(listed, names, port)
        }
    }

    func testTheExamplesCompile() throws {
        let compiled = try source("Tests/HoldfastConformanceTests/PortExamples.swift")
        for port in Self.promises.keys {
            var blocks: [String] = []
            var block: [Substring]?
            for line in try documentation(of: port) {
                if line == "```swift" {
                    block = []
                } else if line == "```" {
                    blocks.append((block ?? []).joined(separator: "\n"))
                    block = nil
                } else {
                    block?.append(line)
                }
            }
            let fakes = blocks.filter { $0.contains(": \(port) {") }
            XCTAssertEqual(fakes.count, 1, "\(port) shows one complete fake")
            XCTAssertTrue(
                fakes.allSatisfy { compiled.contains("\n\($0)\n") },
                "\(port)'s fake is another in PortExamples"
            )
        }
    }

    func testTheExamplesKeepWhatTheySayTheyKeep() async {
        let vault = await Conformance.keyVault.run {
            let vault = DictionaryVault()
            return Conformance.VaultSubject(vault, reopen: { vault }, makeUnavailable: nil)
        }
        XCTAssertEqual(vault, [])
        let calendar = await Conformance.civilCalendar.run { UTCCalendar() }
        XCTAssertEqual(calendar, [])
        let cipher = await Conformance.payloadCipher.run { ClearCipher(random: SeededRandom(seed: 1)) }
        XCTAssertEqual(cipher.map(\.check), ["shows_nothing_of_the_plaintext"])
        let token = await Conformance.accessTokenProvider.run { FixedToken() }
        XCTAssertEqual(token, [])
        let state = await Conformance.stateStore.run { DictionaryState() }
        XCTAssertEqual(state, [])
        let sender = await Conformance.batchSender.run {
            Conformance.BatchSubject(AcceptEverything(), records: [FakeTests.record])
        }
        XCTAssertEqual(sender, [])
    }
}
