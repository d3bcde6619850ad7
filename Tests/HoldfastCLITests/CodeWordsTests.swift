import Foundation
import Holdfast
import XCTest

@testable import HoldfastCLI

/// Every code that can reach a person has a sentence of its own. The codes are open structs, so they are taken from
/// where they are declared: one that is added without words fails here.
final class CodeWordsTests: XCTestCase {
    /// Where codes are declared, and how a person hears of them.
    private let tables: [(file: String, words: (String) -> String?)] = [
        ("HoldfastDomain/Ports/QueueStoreError.swift", { explain(QueueStoreError(.init($0))) }),
        ("HoldfastDomain/Ports/KeyVault.swift", { explain(KeyVaultError(.init($0))) }),
        ("HoldfastDomain/Ports/Transport.swift", { explain(TransportError(.init($0))) }),
        ("HoldfastDomain/Ports/SignatureVerifier.swift", { explain(CryptoError(.init($0))) }),
        ("HoldfastDomain/Journal/Sealer.swift", { explain(CryptoError(.init($0))) }),
        ("HoldfastDomain/Values/JSONError.swift", { explain(JSONError(.init($0))) }),
        ("HoldfastDomain/Telemetry/TelemetryError.swift", { explain(TelemetryError(.init($0))) }),
        ("HoldfastDomain/Tickets/ConfigurationError.swift", { explain(ConfigurationError(.init($0))) }),
        ("HoldfastDomain/Tickets/GateFailure.swift", { explain(GateFailure(.init($0))) }),
        ("Holdfast/Gate/TicketGateConfiguration.swift", { explain(GateFailure(.init($0))) }),
        ("Holdfast/Gate/TicketGateBacklog.swift", { DiagnosticEvent(.init($0)).words }),
        ("HoldfastDomain/Tickets/Ticket.swift", { MalformedReason($0).words }),
        ("HoldfastDomain/Journal/DeliveryObstacle.swift", { DeliveryObstacle($0).words }),
        ("HoldfastDomain/Ports/DiagnosticSink.swift", { DiagnosticEvent(.init($0)).words }),
        ("HoldfastDomain/Journal/Entry.swift", { LossReason($0).words }),
    ]

    /// What a command's own answer tells anyway, and what names no fault.
    private let silent: Set = [
        "record_failed", "delivery_failed", "secret_lost", "gate", "telemetry", "configuration", "other",
    ]

    private var sources: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources").standardized
    }

    private func codes(in text: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: #"static let \w+ = [\w.]+\("([a-z_]+)"\)"#)
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    func testEachCodeHasASentenceOfItsOwn() throws {
        var count = 0
        for (file, words) in tables {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            let known = try codes(in: text).filter { !silent.contains($0) }
            XCTAssertFalse(known.isEmpty, "no codes are found in \(file)")
            let fallback = words("unheard_of")
            var said: [String: String] = [:]
            for code in known {
                let sentence = try XCTUnwrap(words(code), "\(file): \(code)")
                XCTAssertNotEqual(sentence, fallback, "\(file): \(code) has no words")
                XCTAssertFalse(sentence.contains("_"), "\(file): \(code) is told as \(sentence)")
                XCTAssertTrue(sentence.contains(" "), "\(file): \(code) is told as \(sentence)")
                XCTAssertNil(said.updateValue(code, forKey: sentence), "\(file): \(code) and another are told alike")
            }
            count += known.count
        }
        XCTAssertGreaterThan(count, 100)
    }

    func testAPortsFailureAtTheGateIsToldAsThePortsOwn() {
        let failures: [(any Error, String)] = [
            (QueueStoreError(.full, platformCode: 13), "the disk is full (13)"),
            (KeyVaultError(.denied), "this user may not use the key vault"),
            (CryptoError(.libraryFailure), "the cryptographic library failed"),
        ]
        for (error, words) in failures { XCTAssertEqual(GateFailure(error).words, words) }
    }

    func testNoFileWithCodesIsLeftOut() throws {
        let listed = Set(tables.map(\.file))
        let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        for file in files where file.hasPrefix("HoldfastDomain/") || file.hasPrefix("Holdfast/") {
            guard file.hasSuffix(".swift") else { continue }
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            let declaration = #"static let \w+ = (\w+\.)*(Code|DeliveryObstacle|MalformedReason|LossReason)\(""#
            let declares = text.range(of: declaration, options: .regularExpression) != nil
            XCTAssertFalse(declares && !listed.contains(file), "\(file) has codes that nobody looked at")
        }
    }
}
