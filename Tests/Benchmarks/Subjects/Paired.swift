import CHoldfastBaseline

/// What one line of the table says.
struct Comparison {
    /// What was measured.
    var name: String
    /// Nanoseconds of one operation of ours.
    var subject: Double
    /// Nanoseconds of what it is compared with.
    var baseline: Double
    /// What it is compared with.
    var against: String
    /// The most (or, where `isFloor`, the least) that `ratio` may be.
    var budget: Double
    /// Whether the budget is a least speed-up instead of a most cost.
    var isFloor = false

    /// Our cost over the baseline's; where `isFloor`, the baseline's over ours.
    var ratio: Double { isFloor ? baseline / subject : subject / baseline }
    /// Whether the budget is kept.
    var isMet: Bool { isFloor ? ratio >= budget : ratio <= budget }
}

/// Times two things in turns, so that whatever else the machine does falls on both, and keeps each one's median.
struct Paired {
    /// How many turns.
    var turns: Int
    /// How many operations a turn.
    var operations: Int

    /// The median nanoseconds of one operation of each; a block gets the number of operations to do.
    func measure(
        subject: (Int) async throws -> Void,
        baseline: (Int) async throws -> Void
    ) async throws -> (subject: Double, baseline: Double) {
        var ours: [Double] = []
        var theirs: [Double] = []
        // One turn that does not count warms caches, pools and files.
        for turn in 0...turns {
            let first = try await time(subject)
            let second = try await time(baseline)
            guard turn > 0 else { continue }
            ours.append(first)
            theirs.append(second)
        }
        return (median(ours), median(theirs))
    }

    private func time(_ block: (Int) async throws -> Void) async throws -> Double {
        let begin = baseline_now()
        try await block(operations)
        return Double(baseline_now() - begin) / Double(operations)
    }
}

/// The middle of the figures; 0 of none.
func median(_ figures: [Double]) -> Double {
    figures.isEmpty ? 0 : figures.sorted()[figures.count / 2]
}

/// A baseline in C reported a failure.
struct BaselineFailure: Error {}

/// Checks what a baseline returned.
func check(_ nanoseconds: Int64) throws {
    guard nanoseconds >= 0 else { throw BaselineFailure() }
}
