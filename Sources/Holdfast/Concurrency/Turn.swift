/// Lets one task at a time through, in order of arrival: an actor alone would let another in at every `await`.
///
/// ```swift
/// await turn.take()
/// defer { turn.pass() }
/// ```
final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Returns when it is the caller's turn.
    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state -> Bool in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends the caller's turn.
    func pass() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }?.resume()
    }
}
