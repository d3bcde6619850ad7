/// A value that can be set, with a stream of its changes for each who wants one.
final class Switch<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextID = 0
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    /// Yields under the lock, so that every listener sees the changes in the order in which they were made.
    func set(_ value: Value) {
        state.withLock { state in
            guard state.value != value else { return }
            state.value = value
            state.listeners.values.forEach { $0.yield(value) }
        }
    }

    func changes() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
        let id = state.withLock { state -> Int in
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    deinit { state.withLock { $0.listeners.values }.forEach { $0.finish() } }
}
