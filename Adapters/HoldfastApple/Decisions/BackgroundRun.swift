/// One launch of a background task, from its beginning to the one time that the system is told of its end.
///
/// Work and expiry race; whichever comes first decides what is said, and the other finds it said.
struct BackgroundRun {
    private enum State { case working, expired, told }
    private var state = State.working

    /// The work has ended.
    ///
    /// - Returns: What to tell the system; nil if it has been told.
    mutating func finish(isSuccess: Bool) -> Bool? {
        defer { state = .told }
        switch state {
        case .working: return isSuccess
        case .expired: return false
        case .told: return nil
        }
    }

    /// The system wants the time back.
    ///
    /// - Returns: Whether the work is to be cancelled.
    mutating func expire() -> Bool {
        guard state == .working else { return false }
        state = .expired
        return true
    }

    /// Work that was cancelled had its moment to let go and has not come to an end.
    ///
    /// - Returns: What to tell the system; nil if it has been told.
    mutating func giveUp() -> Bool? {
        guard state == .expired else { return nil }
        state = .told
        return false
    }
}
