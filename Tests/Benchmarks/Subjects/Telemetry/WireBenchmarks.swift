import CHoldfastBaseline
import Foundation
import Holdfast
import HoldfastCurl

/// Sending, and the memory that draining a whole queue takes. The server is a thread of this process.
enum WireBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark("send 200 KB", measure: sending),
            Benchmark("memory while 20 MiB are drained", measure: draining),
        ]
    }

    private static func server() throws -> String {
        let port = baseline_server_start()
        guard port > 0 else { throw MeasurementFailure("no server") }
        return "http://127.0.0.1:\(port)/v1/telemetry/batch"
    }

    private static func sending(_ name: String, _ bench: Bench) async throws -> Comparison {
        let url = try server()
        guard let client = baseline_client_open(url) else { throw MeasurementFailure("no client") }
        defer { baseline_client_close(client) }
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }
        let transport = CurlTransport()
        let request = TransportRequest(
            url: url,
            headers: [HeaderField("Content-Type", "application/octet-stream")],
            body: body
        )
        let result = try await Paired(turns: bench.turns(3000), operations: 2).measure(
            subject: { count in
                for _ in 0..<count {
                    guard try await transport.send(request).status == 200 else { throw MeasurementFailure("not 200") }
                }
            },
            baseline: { try check(baseline_post(client, Int32($0), body, body.count)) }
        )
        return Comparison(name, result, against: "libcurl with a reused handle", budget: .atMost(1.2))
    }

    private static func draining(_ name: String, _ bench: Bench) async throws -> Comparison {
        let limit = 16.0 * 1_048_576
        var growths: [Double] = []
        for _ in 0..<3 {
            let directory = try bench.folder("drain")
            try await fill(directory)
            growths.append(try DrainChild.growth(draining: directory, to: try server()))
        }
        return Comparison(
            name,
            Spread(growths),
            of: limit,
            against: "16 MiB over idle",
            unit: .bytes,
            clock: .wall
        )
    }

    /// Leaves a queue of 20 MiB in a directory.
    private static func fill(_ directory: String) async throws {
        let world = try await TelemetryWorld(directory: directory)
        let telemetry = try await world.open()
        while try await world.ports.journal.statistics(.telemetry).liveBytes < 20_900_000 {
            try await telemetry.store(500)
        }
        await telemetry.close()
    }
}

/// A process of its own that drains a queue, so that no other benchmark's memory counts.
struct DrainChild {
    private static let argument = "--drain"

    private let directory: String
    private let endpoint: String

    /// - Returns: nil where the arguments ask for something else.
    init?(_ arguments: [String]) {
        guard arguments.count == 4, arguments[1] == Self.argument else { return nil }
        (directory, endpoint) = (arguments[2], arguments[3])
    }

    /// How many bytes more the child takes while it drains than when telemetry has just been opened.
    static func growth(draining directory: String, to endpoint: String) throws -> Double {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [argument, directory, endpoint]
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let growth = Double(said) else {
            throw MeasurementFailure("the draining process failed")
        }
        return growth
    }

    func run() async throws {
        let telemetry = try await TelemetryWorld(directory: directory).open(endpoint: endpoint)
        _ = await telemetry.status()
        try Memory.forgetPeak()
        let idle = try Memory.resident()
        let report = await telemetry.flush()
        guard report.isComplete, report.delivery.delivered > 10_000 else { throw MeasurementFailure("not drained") }
        print(try Memory.peak() - idle, terminator: "")
        await telemetry.close()
    }
}
