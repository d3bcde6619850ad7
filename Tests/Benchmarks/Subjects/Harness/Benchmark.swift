/// One line of the table: its name, and how it is measured.
struct Benchmark {
    /// What is measured.
    var name: String
    /// Measures it.
    var measure: (_ name: String, _ bench: Bench) async throws -> Comparison

    init(_ name: String, measure: @escaping (_ name: String, _ bench: Bench) async throws -> Comparison) {
        self.name = name
        self.measure = measure
    }
}

/// What a line of the table says.
struct Comparison {
    /// What a ratio may be.
    enum Budget: Equatable {
        case atMost(Double)
        case atLeast(Double)
    }

    /// What the figures count.
    enum Unit: String {
        case nanoseconds
        case bytes
    }

    /// Which time the ratio is of.
    enum Clock: String {
        /// The time that passed: what whoever waits sees, and what other work on the machine disturbs.
        case wall
        /// The time that the measuring thread, or the whole process where work goes through tasks, had the CPU: the same
        /// on a busy machine, but for what that leaves of the caches.
        case cpu = "CPU"
    }

    /// What was measured.
    var name: String
    /// What one operation of ours takes.
    var subject: Double
    /// What it is compared with takes.
    var baseline: Double
    /// What it is compared with.
    var against: String
    /// The one over the other.
    var ratio: Double
    /// The same, turn by turn, with all that disturbed it.
    var turns: Spread
    /// What the ratio may be; nil where it is only told.
    var budget: Budget?
    var unit = Unit.nanoseconds
    var clock = Clock.wall

    /// Whether the ratio keeps the budget.
    var isMet: Bool {
        switch budget {
        case .atMost(let limit): return ratio <= limit
        case .atLeast(let limit): return ratio >= limit
        case nil: return true
        }
    }
}

/// A measurement could not be made as it must, so that its time means nothing.
struct MeasurementFailure: Error {
    /// What did not come out.
    var what: String
    init(_ what: String) { self.what = what }
}

/// Checks what a baseline returned.
func check(_ nanoseconds: Int64) throws {
    guard nanoseconds >= 0 else { throw MeasurementFailure("a baseline in C failed") }
}
