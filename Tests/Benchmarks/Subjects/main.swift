import Foundation

// `swift run -c release HoldfastBenchmarks [--json]`: every budget as a ratio to a bare baseline of the same run.
// Exits with 1 if a budget is missed, so that a script can ask; no test does, since other work on the machine counts.

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-benchmarks-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let rows = try await GateBenchmarks.run(in: folder)
try FileManager.default.removeItem(at: folder)
if CommandLine.arguments.contains("--json") {
    for row in rows { print(try Table.json(row)) }
} else {
    print(Table.text(rows))
}
if !rows.allSatisfy(\.isMet) { exit(1) }
