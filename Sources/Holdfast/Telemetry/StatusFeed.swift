import HoldfastDomain

/// Gives every change of the status to each listener; a slow one gets only the newest.
final class StatusFeed: Sendable {
    private struct State {
        var latest: TelemetryStatus?
        var nextID = 0
        var isFinished = false
        var listeners: [Int: AsyncStream<TelemetryStatus>.Continuation] = [:]
    }

    private let state = Locked(State())

    /// Whether anybody listens.
    var isHeard: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Every status from the next one on that differs from the one before.
    func updates() -> AsyncStream<TelemetryStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TelemetryStatus.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            state.latest = nil  // so that the next one is told even if nothing has changed
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    /// Called by one at a time. Yields without the lock: a task that is cancelled holds a lock that a yield wants, and
    /// then wants this one to end its stream.
    func publish(_ status: TelemetryStatus) {
        let listeners = state.withLock { state -> [AsyncStream<TelemetryStatus>.Continuation] in
            guard status != state.latest else { return [] }
            state.latest = status
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(status) }
    }

    func finish() {
        let listeners = state.withLock { state -> [AsyncStream<TelemetryStatus>.Continuation] in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
