import Foundation

/// How long a test waits for what must come: far longer than the slowest machine needs, and not for ever.
///
/// ```swift
/// let patience = Patience("the task is completed")
/// while task.completed.isEmpty { try await patience.yield() }
/// ```
public struct Patience: Sendable {
    /// What was waited for has not come.
    public struct Exhausted: Error, CustomStringConvertible {
        /// A sentence that says what.
        public let description: String
    }

    private let event: String
    private let seconds: TimeInterval
    private let end: TimeInterval

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - event: What must come, as a clause: `the task is completed`.
    ///   - seconds: For how long.
    public init(_ event: String, seconds: TimeInterval = 120) {
        self.event = event
        self.seconds = seconds
        end = ProcessInfo.processInfo.systemUptime + seconds
    }

    /// Lets other tasks run, for a moment.
    ///
    /// - Throws: `Exhausted`, or `CancellationError`.
    public func yield() async throws {
        try check()
        try await Task.sleep(nanoseconds: 200_000)
    }

    /// Lets other processes run, for a moment.
    ///
    /// - Throws: `Exhausted`.
    public func rest() throws {
        try check()
        Thread.sleep(forTimeInterval: 0.002)
    }

    private func check() throws {
        guard ProcessInfo.processInfo.systemUptime < end else {
            throw Exhausted(description: "waited \(Int(seconds)) seconds in vain until \(event)")
        }
    }
}
