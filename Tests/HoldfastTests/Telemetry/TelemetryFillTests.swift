#if os(Linux)
import Foundation
import HoldfastDomain
import HoldfastInMemory
import HoldfastLinux
import HoldfastOpenSSL
import HoldfastSQLite
import Patience
import XCTest

@testable import Holdfast

/// The default limit of 20 MiB, on SQLite and with AES-GCM: filled and drained ten times.
final class TelemetryFillTests: XCTestCase {
    private static let cap: Int64 = 20 * 1024 * 1024

    func testTenFillsStayBoundedDropTheOldestAndAddUpExactly() async throws {
        let bench = try FillBench()
        defer { bench.remove() }
        let telemetry = try await bench.open()
        var logged = 0
        var overflow = 0
        for round in 1...10 {
            let before = logged
            bench.network.set(reachable: false)
            // About a tenth more than may stay.
            while logged < before + 2860 {
                for _ in 0..<130 {
                    logged += 1
                    guard case .taken = telemetry.log("fill", bench.payload(logged)) else { return XCTFail("refused") }
                }
                try await telemetry.persist()
                XCTAssertLessThanOrEqual(try bench.bytesOnDisk(), 2 * Self.cap, "round \(round)")
            }
            let full = await telemetry.status()
            XCTAssertLessThanOrEqual(full.liveBytes, Self.cap)
            XCTAssertGreaterThan(full.liveBytes, Self.cap - 20_000)
            overflow = full.lost[.overflow] ?? 0
            XCTAssertEqual(bench.server.numbers.count + full.queued + overflow, logged)
            XCTAssertEqual(full.lost, [.overflow: overflow])

            bench.network.set(reachable: true)
            let report = await telemetry.flush()
            XCTAssertTrue(report.isComplete)
            let arrived = Array(bench.server.numbers.suffix(full.queued))
            XCTAssertEqual(arrived, Array((logged - full.queued + 1)...logged), "the oldest were to go; round \(round)")
            XCTAssertEqual(bench.server.numbers.count + overflow, logged)
            try await bench.waitUntilSpaceIsBack(telemetry, round: round)
        }
        XCTAssertGreaterThan(overflow, 1000, "more was logged than could stay")
        await telemetry.close()
    }
}

/// Telemetry on a disk, in a folder of its own, and a server that only counts.
private final class FillBench {
    /// What an empty journal may take: 1 MiB of free pages, 1 MiB of log, its index, and the tables.
    static let emptySize = 2 * 1024 * 1024 + 512 * 1024

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-fill-\(UUID().uuidString)")
    let network = SwitchableConnectivity()
    let server = CountingServer()
    private let texts = [200, 3000, 9000, 20_000].map { String(repeating: "x", count: $0) }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    func remove() {
        // What is left in the folder for temporary files is the system's to clear.
        try? FileManager.default.removeItem(at: folder)
    }

    func open() async throws -> Telemetry {
        let sink = CollectingDiagnostics()
        let store = try SQLiteQueueStore(path: folder.appendingPathComponent("t.sqlite").path, diagnostics: sink)
        return try await Telemetry(
            endpoint: "https://collector.example/v1/telemetry/batch",
            token: ScriptedTokenProvider("one"),
            policy: TelemetryBench.plain,
            ports: .inMemory(
                journal: store,
                clock: ManualClock(),
                cipher: try OpenSSLCipher(),
                random: OpenSSLRandom(),
                compressor: NoCompressor(),
                transport: server,
                connectivity: network,
                diagnostics: sink
            )
        )
    }

    /// Payloads of several sizes, 8 KiB on average.
    func payload(_ number: Int) -> PayloadObject {
        ["n": .integer(Int64(number)), "text": .string(texts[number % texts.count])]
    }

    /// The file, its log and the log's index.
    func bytesOnDisk() throws -> Int64 {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
            let path = folder.appendingPathComponent(name).path
            return try sum + (FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0)
        }
    }

    /// Space is given back beside what calls do, a stretch at a time.
    func waitUntilSpaceIsBack(_ telemetry: Telemetry, round: Int) async throws {
        let patience = Patience("space is given back in round \(round)")
        while true {
            let told = await telemetry.status().diskBytes
            let size = try bytesOnDisk()
            if size <= Self.emptySize, told == size { return }
            try await patience.yield()
        }
    }
}

/// Finds the number of each event without reading the whole batch, which would take longest.
private final class CountingServer: Transport {
    private let taken = Locked<[Int]>([])

    var numbers: [Int] { taken.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let body = Data(request.body)
        let mark = Data(#""payload":{"n":"#.utf8)
        var found: [Int] = []
        var rest = body.startIndex..<body.endIndex
        while let place = body.range(of: mark, in: rest) {
            let digits = body[place.upperBound...].prefix { (0x30...0x39).contains($0) }
            found.append(Int(String(decoding: digits, as: UTF8.self)) ?? -1)
            rest = place.upperBound..<body.endIndex
        }
        taken.withLock { $0 += found }
        return TransportResponse(status: 200)
    }
}

private struct NoCompressor: Compressor {
    func gzip(_ bytes: [UInt8]) -> [UInt8] { bytes }
}
#endif
