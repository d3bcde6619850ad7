import Foundation
import HoldfastDomain
import HoldfastSQLite
import XCTest

/// A folder of its own for each test, removed when the test is over.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String = "journal.sqlite") -> String { url.appendingPathComponent(name).path }

    /// An empty store under a name of its own.
    func store() throws -> SQLiteQueueStore {
        try SQLiteQueueStore(path: path(UUID().uuidString), diagnostics: Collector())
    }

    /// The names of all files in it, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func size(_ name: String = "journal.sqlite") throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int ?? 0
    }
}

/// Keeps what it was told.
final class Collector: DiagnosticSink, @unchecked Sendable {
    // The events are read and written under the lock.
    private let lock = NSLock()
    private var collected: [DiagnosticEvent] = []

    func record(_ event: DiagnosticEvent) {
        lock.lock()
        defer { lock.unlock() }
        collected.append(event)
    }

    var events: [DiagnosticEvent] {
        lock.lock()
        defer { lock.unlock() }
        return collected
    }
}

extension Draft {
    /// The draft with this number; the same number has the same id.
    static func number(
        _ number: Int,
        in stream: StreamName = .telemetry,
        bytes: Int = 400,
        at time: Int64 = 1_790_000_000_000,
        subject: UInt8? = nil,
        version: Int64 = 1,
        key: UInt32 = 1,
        keepUntil: Timestamp? = nil
    ) -> Draft {
        Draft(
            id: .number(number),
            stream: stream,
            recordedAt: Timestamp(milliseconds: time),
            place: subject.map {
                SubjectVersion(subject: Subject(bytes: [UInt8](repeating: $0, count: 32)), version: version)
            },
            keyID: KeyID(key),
            sealed: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes),
            keepUntil: keepUntil
        )
    }
}

extension EntryID {
    /// Spread over all 16 bytes, as random ids are.
    static func number(_ number: Int) -> EntryID {
        let mixed = UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15
        return EntryID(high: mixed ^ mixed >> 31, low: UInt64(truncatingIfNeeded: number))
    }
}

func assertThrows(
    _ code: QueueStoreError.Code,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ body: () async throws -> some Any
) async {
    do {
        _ = try await body()
        XCTFail("nothing was thrown", file: file, line: line)
    } catch {
        XCTAssertEqual((error as? QueueStoreError)?.code, code, "\(error)", file: file, line: line)
    }
}
