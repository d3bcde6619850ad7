import Foundation

/// Prints comparisons for people, or one JSON object a line for programs.
enum Table {
    static func text(_ rows: [Comparison]) -> String {
        let header = ["what", "ours", "baseline", "ratio", "budget", "", "against"]
        let cells = rows.map { row in
            [
                row.name, time(row.subject), time(row.baseline), figure(row.ratio),
                (row.isFloor ? "≥ " : "≤ ") + figure(row.budget), row.isMet ? "met" : "MISSED", row.against,
            ]
        }
        let widths = header.indices.map { column in ([header] + cells).map { $0[column].count }.max() ?? 0 }
        return ([header] + cells).map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func json(_ row: Comparison) throws -> String {
        let fields: [String: Any] = [
            "name": row.name, "nanoseconds": row.subject, "baselineNanoseconds": row.baseline, "ratio": row.ratio,
            "budget": row.budget, "isFloor": row.isFloor, "met": row.isMet, "against": row.against,
        ]
        let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private static func time(_ nanoseconds: Double) -> String {
        nanoseconds < 1000
            ? String(format: "%.0f ns", nanoseconds)
            : nanoseconds < 1_000_000
                ? String(format: "%.2f µs", nanoseconds / 1000) : String(format: "%.2f ms", nanoseconds / 1_000_000)
    }

    private static func figure(_ value: Double) -> String { String(format: "%.2f", value) }
}
