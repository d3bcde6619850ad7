import HoldfastDomain

/// Lets time pass. The driver and the writer wait through it alone, so that no test has to wait for a real clock.
protocol Sleeper: Sendable {
    /// Returns after `interval`, or throws when the task is cancelled.
    func sleep(for interval: Interval) async throws
}

/// Sleeps for real.
struct SystemSleeper: Sleeper {
    func sleep(for interval: Interval) async throws {
        // An hour at most, so that no interval overflows; the caller looks at the clock again.
        let milliseconds = min(max(0, interval.milliseconds), 3_600_000)
        try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
    }
}

/// Where one task waits until it is called or its time has come.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    /// Wakes the task that waits, or the next one that would.
    func ring() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isRung = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }?.resume()
    }

    /// Waits for a ring, and no longer than `interval` if there is one. May return for nothing: look again.
    func wait(upTo interval: Interval?, by sleeper: any Sleeper) async {
        let timer = interval.map { interval in
            Task {
                // A cancelled timer has nobody to wake.
                guard (try? await sleeper.sleep(for: interval)) != nil else { return }
                ring()
            }
        }
        await withCheckedContinuation { continuation in
            let isRung = state.withLock { state -> Bool in
                guard !state.isRung else {
                    state.isRung = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if isRung { continuation.resume() }
        }
        timer?.cancel()
    }
}
