#if os(Linux)
import Foundation
import HoldfastInMemory
import HoldfastKit
import HoldfastLinux
import HoldfastOpenSSL
import XCTest

/// What the documentation's articles show is what is compiled, read or answered.
final class ArticleTextTests: XCTestCase {
    private struct Block {
        let article: String
        let language: String
        var lines: [String]
    }

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    private func blocks(_ language: String) throws -> [Block] {
        let catalog = "Sources/Holdfast/Holdfast.docc"
        let folder = Self.package.appendingPathComponent(catalog)
        var blocks: [Block] = []
        for article in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            guard article.hasSuffix(".md") else { continue }
            var isInside = false
            for line in try lines("\(catalog)/\(article)") {
                if line.hasPrefix("```") {
                    isInside.toggle()
                    guard isInside else { continue }
                    blocks.append(Block(article: article, language: String(line.dropFirst(3)), lines: []))
                } else if isInside {
                    blocks[blocks.count - 1].lines.append(line)
                }
            }
        }
        XCTAssertEqual(Set(blocks.map(\.language)), ["swift", "json", "xml"], "each kind is checked below")
        return blocks.filter { $0.language == language }
    }

    /// The code of the lines, without what an indentation or a comment at the end of a line makes different.
    private func code(_ lines: [String]) -> String {
        lines.map { $0.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    func testEveryBlockOfCodeIsCompiled() throws {
        let compiled = try [
            "Tests/HoldfastKitTests/ArticleTests.swift", "Tests/HoldfastKitAppleTests/ArticleExamples.swift",
        ]
        .map { "\n" + code(try lines($0)) }
        let blocks = try blocks("swift")
        XCTAssertGreaterThan(blocks.count, 20)
        for block in blocks {
            let text = "\n" + code(block.lines)
            XCTAssertTrue(compiled.contains { $0.contains(text) }, "\(block.article): not compiled:\(text)")
        }
    }

    /// The text of the block of JSON with this number in an article.
    private func json(_ index: Int, of article: String) throws -> String {
        let blocks = try blocks("json").filter { $0.article == article }
        return try XCTUnwrap(blocks.indices.contains(index) ? blocks[index] : nil).lines.joined(separator: "\n")
    }

    func testTheConfigurationIsOne() throws {
        let configuration = try KeyConfiguration.read(
            Array(try json(0, of: "RunAGate.md").utf8),
            signedBy: nil,
            verifier: try OpenSSLVerifier(),
            calendar: ZoneInfoCalendar()
        )
        XCTAssertEqual(configuration.events.map(\.id), ["EV1"])
    }

    func testTheClaimsMakeATicket() throws {
        let text = try json(1, of: "RunAGate.md")
        let key = try OpenSSLSigner()
        XCTAssertNoThrow(try TicketIssuer.text(claims: Array(text.utf8), as: .holdfast, sign: key.sign))
        for member in ["ticketId", "eventId", "zoneId", "issuedAt", "validFrom", "validTo"] {
            let claims = text.replacingOccurrences(of: "\"\(member)\"", with: "\"another\"")
            XCTAssertThrowsError(
                try TicketIssuer.text(claims: Array(claims.utf8), as: .holdfast, sign: key.sign),
                "\(member) is required"
            )
        }
    }

    func testTheRecordsAreAsTheyAreSent() async throws {
        let body = try JSONValue.parse(try json(2, of: "RunAGate.md"))
        let shown = try XCTUnwrap(body["records"]?.arrayValue?.first)
        let record = try XCTUnwrap(GateRecord(json: try shown.encoded()))
        XCTAssertEqual(try JSONValue.parse(record.json), shown, "each member, in its order")
        let answer = TransportResponse(status: 200, body: Array(try json(3, of: "RunAGate.md").utf8))
        let sender = HTTPRecordSender(
            endpoint: "https://example.org",
            transport: ScriptedTransport([.answer(answer)]),
            clock: ManualClock()
        )
        let outcome = try await sender.send([record])
        XCTAssertEqual(outcome, .handled([record.scanID: .rejected(reason: "was cancelled")]))
    }

    func testTheBatchIsJSON() throws {
        let text = try json(0, of: "CollectTelemetry.md")
        let batch = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Any]]]
        let event = try XCTUnwrap(batch?["events"]?.first)
        XCTAssertEqual(Set(event.keys), ["id", "ts", "type", "payload", "sessionId"])
    }

    func testThePropertyListHasWhatTheAdaptersRead() throws {
        let text = try XCTUnwrap(blocks("xml").first).lines.joined(separator: "\n")
        let list = "<plist version=\"1.0\"><dict>\(text)</dict></plist>"
        let properties = try PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil)
        let keys = try XCTUnwrap(properties as? [String: Any])
        XCTAssertEqual(keys["UIBackgroundModes"] as? [String], ["fetch", "processing"])
        XCTAssertNotNil(keys["NSCameraUsageDescription"] as? String)
        let examples = code(try lines("Tests/HoldfastKitAppleTests/ArticleExamples.swift"))
        for identifier in try XCTUnwrap(keys["BGTaskSchedulerPermittedIdentifiers"] as? [String]) {
            XCTAssertTrue(examples.contains("\"\(identifier)\""), identifier)
        }
    }
}
#endif
