import HoldfastDomain
import HoldfastInMemory

@testable import Holdfast

/// Lets those who sleep go on when a test moves the manual clock; nothing waits for real.
final class ManualSleeper: Sleeper {
    private struct Sleep {
        let id: Int
        let due: Interval
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var nextID = 0
        var sleeping: [Sleep] = []
        var watchers: [(due: Interval, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let clock: ManualClock
    private let state = Locked(State())

    init(_ clock: ManualClock) { self.clock = clock }

    func sleep(for interval: Interval) async throws {
        guard interval > .zero else { return try Task.checkCancellation() }
        let id = state.withLock { state -> Int in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                    guard !Task.isCancelled else { return nil }
                    let due = clock.now().uptime + interval
                    state.sleeping.append(Sleep(id: id, due: due, continuation: continuation))
                    defer { state.watchers.removeAll { $0.due == due } }
                    return state.watchers.filter { $0.due == due }.map(\.continuation)
                }
                guard let watchers else { return continuation.resume(throwing: CancellationError()) }
                watchers.forEach { $0.resume() }
            }
        } onCancel: {
            let sleep = state.withLock { state -> Sleep? in
                guard let index = state.sleeping.firstIndex(where: { $0.id == id }) else { return nil }
                return state.sleeping.remove(at: index)
            }
            sleep?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns once somebody sleeps until exactly this uptime.
    func sleeper(due: Interval) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state -> Bool in
                if state.sleeping.contains(where: { $0.due == due }) { return true }
                state.watchers.append((due, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves the clock and wakes whoever is due by then.
    func advance(by interval: Interval) {
        let due = state.withLock { state -> [Sleep] in
            clock.advance(by: interval)
            let now = clock.now().uptime
            let due = state.sleeping.filter { $0.due <= now }
            state.sleeping.removeAll { $0.due <= now }
            return due.sorted { $0.due < $1.due }
        }
        due.forEach { $0.continuation.resume() }
    }
}
