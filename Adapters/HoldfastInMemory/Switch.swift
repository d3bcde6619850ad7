/// A value that can be set, with a stream of its changes for each who wants one.
final class Switch<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextID = 0
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Locked<State>
    private let order = Locked(())

    init(_ value: Value) { state = Locked(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    /// Every listener sees the changes in the order in which they were made. Yields under a lock of its own: a task
    /// that is cancelled holds a lock that a yield wants, and then wants the state's to end its stream.
    func set(_ value: Value) {
        order.withLock { _ in
            let listeners = state.withLock { state -> [AsyncStream<Value>.Continuation] in
                guard state.value != value else { return [] }
                state.value = value
                return Array(state.listeners.values)
            }
            listeners.forEach { $0.yield(value) }
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
