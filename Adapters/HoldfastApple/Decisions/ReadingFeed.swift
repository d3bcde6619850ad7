import Foundation
import HoldfastDomain

/// Passes readings on to any number of listeners. A listener that lags keeps the newest few: a camera that shows the
/// same code thirty times a second fills no memory.
/// `@unchecked`: the listeners are read and written under the lock.
final class ReadingFeed: @unchecked Sendable {
    /// How many readings wait for a listener at most; older ones are dropped.
    static let depth = 8

    private let lock = NSLock()
    private var listeners: [Int: AsyncStream<ScanReading>.Continuation] = [:]
    private var lastListener = 0

    deinit { for listener in listeners.values { listener.finish() } }

    func send(_ reading: ScanReading) {
        for listener in lock.withLock({ Array(listeners.values) }) { listener.yield(reading) }
    }

    func readings() -> AsyncStream<ScanReading> {
        let (stream, listener) = AsyncStream<ScanReading>.makeStream(bufferingPolicy: .bufferingNewest(Self.depth))
        let id: Int = lock.withLock {
            lastListener &+= 1
            listeners[lastListener] = listener
            return lastListener
        }
        listener.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    private func forget(_ id: Int) { lock.withLock { _ = listeners.removeValue(forKey: id) } }
}
