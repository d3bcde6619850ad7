import HoldfastDomain

/// Counts those who come and, while it is held, keeps them waiting: how a scripted port answers late or never.
final class Turnstile: Sendable {
    private struct State {
        var isHeld = false
        var arrivals = 0
        var nextTicket = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    func hold() { state.withLock { $0.isHeld = true } }

    /// Lets everybody through, now and later.
    func release() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
            state.isHeld = false
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        waiting.forEach { $0.resume() }
    }

    /// Counts an arrival and returns when the way is free.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func pass() async throws {
        let ticket = arrive()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state -> Bool in
                    guard state.isHeld, !Task.isCancelled else { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(throwing: CancellationError())
        }
    }

    /// Returns once at least `count` have come in all, waiting or through.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state -> Bool in
                if state.arrivals >= count { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func arrive() -> Int {
        let (ticket, satisfied) = state.withLock { state -> (Int, [CheckedContinuation<Void, Never>]) in
            state.arrivals += 1
            state.nextTicket += 1
            let arrivals = state.arrivals
            let satisfied = state.observers.filter { $0.count <= arrivals }.map(\.continuation)
            state.observers.removeAll { $0.count <= arrivals }
            return (state.nextTicket, satisfied)
        }
        satisfied.forEach { $0.resume() }
        return ticket
    }
}
