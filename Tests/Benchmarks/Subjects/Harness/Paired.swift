import CHoldfastBaseline

/// Times two things in turns, so that whatever else the machine does falls on both.
///
/// Turns are short, a millisecond or so, so that many of them have the CPU to themselves even on a busy machine. What
/// counts is what the fastest tenth of the turns does not go beyond, of either side: other work only ever adds time, and
/// adds more to what goes from thread to thread. Who begins changes from turn to turn.
struct Paired {
    /// How many turns count; one before them warms caches, pools and files.
    var turns: Int
    /// How many operations a turn.
    var operations: Int

    /// What one operation took, in nanoseconds.
    struct Cost {
        /// The time that passed.
        var wall: Double
        /// The CPU time that the thread used, or the whole process.
        var cpu: Double
    }

    /// Runs from when it is made.
    struct Stopwatch {
        private let wall = baseline_now()
        private let cpu = baseline_process_time()

        /// What has passed since, and what the process used, shared among so many operations.
        func cost(of operations: Int) -> Cost {
            Cost(
                wall: Double(baseline_now() - wall) / Double(operations),
                cpu: Double(baseline_process_time() - cpu) / Double(operations)
            )
        }
    }

    /// What the turns came to.
    struct Result {
        var subject: [Cost] = []
        var baseline: [Cost] = []

        /// What both take when nothing disturbs them.
        func undisturbed(_ clock: KeyPath<Cost, Double>) -> (subject: Double, baseline: Double) {
            (Spread(subject.map { $0[keyPath: clock] }).fast, Spread(baseline.map { $0[keyPath: clock] }).fast)
        }

        /// The one over the other, turn by turn.
        func ratios(_ clock: KeyPath<Cost, Double>) -> Spread {
            Spread(zip(subject, baseline).map { $0[keyPath: clock] / $1[keyPath: clock] })
        }
    }

    /// Times work that goes through tasks, with the CPU time of the process; a block gets the number of operations.
    func measure(
        subject: (Int) async throws -> Void,
        baseline: (Int) async throws -> Void
    ) async throws -> Result {
        func cost(_ block: (Int) async throws -> Void) async throws -> Cost {
            let stopwatch = Stopwatch()
            try await block(operations)
            return stopwatch.cost(of: operations)
        }
        return try await measure(
            costOfSubject: { try await cost(subject) },
            costOfBaseline: { try await cost(baseline) }
        )
    }

    /// As `measure`, where the blocks do `operations` and say themselves what those took, without what is around them.
    func measure(
        costOfSubject: () async throws -> Cost,
        costOfBaseline: () async throws -> Cost
    ) async throws -> Result {
        var result = Result()
        for turn in 0...turns {
            let baselineFirst = turn.isMultiple(of: 2) ? try await costOfBaseline() : nil
            let ours = try await costOfSubject()
            let theirs: Cost
            if let baselineFirst { theirs = baselineFirst } else { theirs = try await costOfBaseline() }
            if turn > 0 {
                result.subject.append(ours)
                result.baseline.append(theirs)
            }
        }
        return result
    }

    /// Times work that stays on this thread, with the thread's CPU time.
    func measureOnThread(subject: (Int) throws -> Void, baseline: (Int) throws -> Void = { _ in }) throws -> Result {
        var result = Result()
        for turn in 0...turns {
            let baselineFirst = turn.isMultiple(of: 2) ? try costOnThread(baseline) : nil
            let ours = try costOnThread(subject)
            let theirs = try baselineFirst ?? costOnThread(baseline)
            if turn > 0 {
                result.subject.append(ours)
                result.baseline.append(theirs)
            }
        }
        return result
    }

    private func costOnThread(_ block: (Int) throws -> Void) throws -> Cost {
        let (wall, cpu) = (baseline_now(), baseline_thread_time())
        try block(operations)
        return Cost(
            wall: Double(baseline_now() - wall) / Double(operations),
            cpu: Double(baseline_thread_time() - cpu) / Double(operations)
        )
    }
}

/// The middle of figures and the quarters on either side of it, and what a tenth of them keeps; zeros of none.
struct Spread {
    var fast: Double
    var low: Double
    var median: Double
    var high: Double

    init(_ figures: [Double]) {
        let sorted = figures.sorted()
        func quantile(_ part: Double) -> Double {
            sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
        }
        (fast, low, median, high) = (quantile(0.1), quantile(0.25), quantile(0.5), quantile(0.75))
    }
}

extension Comparison {
    /// A line about two things that took turns, in the time of `clock`.
    init(_ name: String, _ result: Paired.Result, _ clock: Clock = .wall, against: String, budget: Budget?) {
        let path: KeyPath<Paired.Cost, Double> = clock == .wall ? \.wall : \.cpu
        let undisturbed = result.undisturbed(path)
        self.init(
            name: name,
            subject: undisturbed.subject,
            baseline: undisturbed.baseline,
            against: against,
            ratio: undisturbed.subject / undisturbed.baseline,
            turns: result.ratios(path),
            budget: budget,
            clock: clock
        )
    }

    /// A line about figures that may not be above a limit of their own unit.
    init(_ name: String, _ figures: Spread, of limit: Double, against: String, unit: Unit, clock: Clock) {
        self.init(
            name: name,
            subject: figures.median,
            baseline: limit,
            against: against,
            ratio: figures.median / limit,
            turns: Spread([figures.low / limit, figures.median / limit, figures.high / limit]),
            budget: .atMost(1),
            unit: unit,
            clock: clock
        )
    }
}
