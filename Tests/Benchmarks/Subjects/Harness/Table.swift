import Foundation

/// Writes comparisons for people, or as JSON for programs.
enum Table {
    static func text(_ rows: [Comparison]) -> String {
        let header = ["what", "ours", "baseline", "ratio", "of", "budget", "", "turns' median", "quartiles", "against"]
        let cells = rows.map { row in
            [
                row.name, amount(row.subject, row.unit), amount(row.baseline, row.unit), figure(row.ratio),
                row.unit == .bytes ? "memory" : row.clock.rawValue, budget(row.budget),
                row.budget == nil ? "" : row.isMet ? "met" : "MISSED", figure(row.turns.median),
                "\(figure(row.turns.low))–\(figure(row.turns.high))", row.against,
            ]
        }
        let widths = header.indices.map { column in ([header] + cells).map { $0[column].count }.max() ?? 0 }
        return ([header] + cells).map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func json(_ row: Comparison) throws -> String {
        var fields: [String: Any] = [
            "name": row.name, "subject": row.subject, "baseline": row.baseline, "unit": row.unit.rawValue,
            "ratio": row.ratio, "median": row.turns.median, "lowerQuartile": row.turns.low,
            "upperQuartile": row.turns.high,
            "clock": row.clock.rawValue, "met": row.isMet, "against": row.against,
        ]
        switch row.budget {
        case .atMost(let limit): fields["atMost"] = limit
        case .atLeast(let limit): fields["atLeast"] = limit
        case nil: break
        }
        return try json(fields)
    }

    static func json(_ machine: Machine) throws -> String {
        var fields: [String: Any] = ["cores": machine.cores]
        fields["load"] = machine.load
        return try json(fields)
    }

    private static func json(_ fields: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    private static func budget(_ budget: Comparison.Budget?) -> String {
        switch budget {
        case .atMost(let limit): return "≤ " + figure(limit)
        case .atLeast(let limit): return "≥ " + figure(limit)
        case nil: return "–"
        }
    }

    private static func amount(_ amount: Double, _ unit: Comparison.Unit) -> String {
        if unit == .bytes { return String(format: "%.1f MiB", amount / 1_048_576) }
        if amount < 1000 { return String(format: "%.0f ns", amount) }
        if amount < 1_000_000 { return String(format: "%.2f µs", amount / 1000) }
        return String(format: "%.2f ms", amount / 1_000_000)
    }

    private static func figure(_ value: Double) -> String { String(format: "%.2f", value) }
}
