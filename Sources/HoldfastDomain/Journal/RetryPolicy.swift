/// How long to wait after a failure: exponential with full jitter, capped, and never shorter than the server asked.
///
/// After the n-th failure in a row the wait is drawn evenly from zero to `base` doubled n − 1 times, at most `cap`
/// ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015: full jitter).
public struct RetryPolicy: Hashable, Sendable {
    /// The most that is waited after the first failure; 2 s by default.
    public var base: Interval
    /// The most that is ever waited of one's own accord; 5 minutes by default.
    public var cap: Interval
    /// The most that a server may order; 24 hours by default.
    public var longestServerWait: Interval

    /// A policy of these lengths; negative ones count as zero.
    public init(
        base: Interval = .seconds(2),
        cap: Interval = .minutes(5),
        longestServerWait: Interval = .hours(24)
    ) {
        self.base = max(.zero, base)
        self.cap = max(.zero, cap)
        self.longestServerWait = max(.zero, longestServerWait)
    }

    /// The wait after so many failures in a row.
    ///
    /// - Parameters:
    ///   - failures: How many; fewer than one count as one.
    ///   - serverWait: What the server asked for; it counts from zero to `longestServerWait`.
    ///   - generator: Where the jitter comes from.
    public func delay(
        afterFailures failures: Int,
        serverWait: Interval?,
        using generator: inout some RandomNumberGenerator
    ) -> Interval {
        let drawn = Int64.random(in: 0...ceiling(afterFailures: failures).milliseconds, using: &generator)
        return max(Interval(milliseconds: drawn), ordered(serverWait))
    }

    /// The state of a stream that was in `state` and has failed at `now` once more.
    public func failed(
        _ state: RetryState,
        at now: ClockReading,
        serverWait: Interval?,
        using generator: inout some RandomNumberGenerator
    ) -> RetryState {
        let failures = state.failures == .max ? state.failures : state.failures + 1
        let wait = delay(afterFailures: failures, serverWait: serverWait, using: &generator)
        return RetryState(
            failures: failures,
            notBefore: now.advanced(by: wait),
            wait: wait,
            isOrdered: ordered(serverWait) > .zero,
            entriesDue: state.entriesDue,
            faults: state.faults
        )
    }

    private func ceiling(afterFailures failures: Int) -> Interval {
        let doublings = min(63, max(1, failures)) - 1
        return min(cap, Interval(milliseconds: base.milliseconds.multipliedSaturated(by: Int64(1) << doublings)))
    }

    private func ordered(_ wait: Interval?) -> Interval {
        min(longestServerWait, max(.zero, wait ?? .zero))
    }
}
