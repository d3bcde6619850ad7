import Foundation

/// Holds the newest of a changing value and tells any number of listeners of each change, without repeats.
///
/// A listener that lags is told of the newest value only, so a network that flaps twenty times a second fills no
/// memory.
/// `@unchecked`: the value and the listeners are read and written under the lock.
final class ChangeBroadcast<Value: Equatable & Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value
    private var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    private var nextListener = 0

    init(_ value: Value) { self.value = value }

    deinit { for listener in listeners.values { listener.finish() } }

    /// The newest value.
    var current: Value { lock.withLock { value } }

    /// Takes a value; nothing is told if it is the same as before.
    func send(_ new: Value) {
        let told: [AsyncStream<Value>.Continuation] = lock.withLock {
            guard new != value else { return [] }
            value = new
            return Array(listeners.values)
        }
        for listener in told { listener.yield(new) }
    }

    /// Every change from now on. Each call gives a stream of its own.
    func changes() -> AsyncStream<Value> {
        let (newest, listener) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let told: ToldValues<Value> = lock.withLock {
            nextListener &+= 1
            listeners[nextListener] = listener
            listener.onTermination = { [weak self, id = nextListener] _ in self?.forget(id) }
            return ToldValues(after: value, newest)
        }
        return AsyncStream { await told.next() }
    }

    private func forget(_ id: Int) { lock.withLock { _ = listeners.removeValue(forKey: id) } }
}

/// What one listener was told last. A change and its undoing may both have been skipped; what is newest then is no
/// change to that listener.
/// `@unchecked`: only the one task that iterates the stream calls `next`.
private final class ToldValues<Value: Equatable & Sendable>: @unchecked Sendable {
    private var last: Value
    private let iterator: AsyncStream<Value>.Iterator

    init(after value: Value, _ newest: AsyncStream<Value>) {
        last = value
        iterator = newest.makeAsyncIterator()
    }

    func next() async -> Value? {
        var iterator = iterator
        while let value = await iterator.next() {
            if value == last { continue }
            last = value
            return value
        }
        return nil
    }
}
