import Foundation

/// What a benchmark gets: a folder of its own, and how much it should do.
struct Bench {
    let root: URL
    let isQuick: Bool

    init(isQuick: Bool) throws {
        self.isQuick = isQuick
        root = FileManager.default.temporaryDirectory
            .appendingPathComponent("holdfast-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// The path of a new, empty folder.
    func folder(_ name: String) throws -> String {
        let folder = root.appendingPathComponent("\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    /// So many turns, or a fifth of them.
    func turns(_ count: Int) -> Int { isQuick ? max(5, count / 5) : count }

    func remove() throws { try FileManager.default.removeItem(at: root) }
}

/// What the command line asks for.
struct Options {
    static let usage = """
        usage: HoldfastBenchmarks [--only NAME]… [--quick] [--json] [--list]

        Times every budget as a ratio to a bare baseline of the same run.
          --only NAME   only the lines whose name has NAME in it, in either case; may be given more than once
          --quick       a fifth of the turns
          --json        one JSON object a line
          --list        print the names, measure nothing
        """

    var only: [String] = []
    var isQuick = false
    var isJSON = false
    var isList = false

    /// - Returns: nil for anything that is not in `usage`.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--only":
                guard let name = rest.popFirst() else { return nil }
                only.append(name.lowercased())
            case "--quick": isQuick = true
            case "--json": isJSON = true
            case "--list": isList = true
            default: return nil
            }
        }
    }

    func selects(_ benchmark: Benchmark) -> Bool {
        only.isEmpty || only.contains { benchmark.name.lowercased().contains($0) }
    }
}
