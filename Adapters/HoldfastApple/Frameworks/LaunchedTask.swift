#if canImport(BackgroundTasks)
import BackgroundTasks
import Foundation
import HoldfastDomain

/// One launch of a background task: takes care that the system is told of its end exactly once, and in time.
/// `@unchecked`: what is decided is decided under the lock, and whoever has decided is alone in calling the task.
final class LaunchedTask: @unchecked Sendable {
    private let task: BGTask
    private let grace: Interval
    private let lock = NSLock()
    private var run = BackgroundRun()

    /// - Parameter grace: How long work may go on after it was cancelled. A few seconds later the system would end the
    ///   process.
    init(_ task: BGTask, grace: Interval) {
        self.task = task
        self.grace = grace
    }

    /// The work has ended.
    func finish(isSuccess: Bool) { tell(lock.withLock { run.finish(isSuccess: isSuccess) }) }

    /// Calls `cancel` when the system wants the time back. What was cancelled should end at once and call `finish`: the
    /// process may be suspended as soon as the system is told, so it is told last. Work that does not end is given up.
    func whenExpired(_ cancel: @escaping @Sendable () -> Void) {
        let expire: @Sendable () -> Void = { [self] in
            guard lock.withLock({ run.expire() }) else { return }
            cancel()
            DispatchQueue.global().asyncAfter(deadline: .now() + grace.seconds) { [self] in
                tell(lock.withLock { run.giveUp() })
            }
        }
        task.expirationHandler = expire
    }

    private func tell(_ isSuccess: Bool?) {
        guard let isSuccess else { return }
        task.expirationHandler = nil  // it holds this object, which holds the task
        task.setTaskCompleted(success: isSuccess)
    }
}
#endif
