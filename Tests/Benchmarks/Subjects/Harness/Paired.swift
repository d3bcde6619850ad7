import CHoldfastBaseline

/// Times two things in turns, so that whatever else the machine does falls on both.
///
/// Turns are short, a millisecond or two, so that many of them have the CPU to themselves even on a busy machine; what
/// counts is the median of the turns' own ratios. Who begins changes from turn to turn.
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

        func median(_ clock: KeyPath<Cost, Double>) -> (subject: Double, baseline: Double) {
            (Spread(subject.map { $0[keyPath: clock] }).median, Spread(baseline.map { $0[keyPath: clock] }).median)
        }

        func ratio(_ clock: KeyPath<Cost, Double>) -> Spread {
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

/// The middle of figures and the quarters on either side of it; zeros of none.
struct Spread {
    var low: Double
    var median: Double
    var high: Double

    init(_ figures: [Double]) {
        let sorted = figures.sorted()
        func quantile(_ part: Double) -> Double {
            sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
        }
        (low, median, high) = (quantile(0.25), quantile(0.5), quantile(0.75))
    }
}

extension Comparison {
    /// A line about work that goes through tasks: what passes on the clock counts.
    init(_ name: String, _ result: Paired.Result, against: String, budget: Budget?) {
        let median = result.median(\.wall)
        self.init(
            name: name,
            subject: median.subject,
            baseline: median.baseline,
            against: against,
            ratio: result.ratio(\.wall),
            processRatio: result.ratio(\.cpu).median,
            budget: budget
        )
    }

    /// A line about work that only computes: the thread's CPU time counts, since it is the same on a busy machine.
    init(_ name: String, onThread result: Paired.Result, against: String, budget: Budget?) {
        let median = result.median(\.cpu)
        self.init(
            name: name,
            subject: median.subject,
            baseline: median.baseline,
            against: against,
            ratio: result.ratio(\.cpu),
            budget: budget,
            clock: .thread
        )
    }

    /// A line about figures that may not be above a limit of their own unit.
    init(_ name: String, _ figures: Spread, of limit: Double, against: String, unit: Unit, clock: Clock) {
        self.init(
            name: name,
            subject: figures.median,
            baseline: limit,
            against: against,
            ratio: Spread([figures.low / limit, figures.median / limit, figures.high / limit]),
            budget: .atMost(1),
            unit: unit,
            clock: clock
        )
    }
}
