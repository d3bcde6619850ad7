import Foundation

// `swift run -c release HoldfastBenchmarks`: every budget as a ratio to a bare baseline of the same run. Exits with 1 if
// one is missed, so that a script can ask; no test does, since other work on the machine counts.

if let child = DrainChild(CommandLine.arguments) {
    try await child.run()
    exit(0)
}
guard let options = Options(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(Data((Options.usage + "\n").utf8))
    exit(2)
}
let benchmarks =
    (GateBenchmarks.all + RecordingBenchmarks.all + LoggingBenchmarks.all + DrainBenchmarks.all + WireBenchmarks.all)
    .filter(options.selects)
if options.isList {
    benchmarks.forEach { print($0.name) }
    exit(0)
}
let machine = Machine()
print(options.isJSON ? try Table.json(machine) : "Before: \(machine.text).")
let bench = try Bench(isQuick: options.isQuick)
var rows: [Comparison] = []
do {
    for benchmark in benchmarks {
        FileHandle.standardError.write(Data("… \(benchmark.name)\n".utf8))
        let row = try await benchmark.measure(benchmark.name, bench)
        if options.isJSON { print(try Table.json(row)) }
        rows.append(row)
    }
} catch {
    // What went wrong matters more than a folder that stays.
    try? bench.remove()
    throw error
}
try bench.remove()
if !options.isJSON { print(Table.text(rows) + "\nAfter: \(Machine().text).") }
exit(rows.allSatisfy(\.isMet) ? 0 : 1)
