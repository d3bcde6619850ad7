/// Whether the app is in the foreground, from notices that come more than once, or not at all: a launch in the
/// background posts neither, a return to a window posts two.
enum ForegroundPhase: Hashable, Sendable {
    case launched, foreground, background

    /// - Returns: Whether the app comes to the foreground by this.
    mutating func enter() -> Bool {
        defer { self = .foreground }
        return self != .foreground
    }

    /// - Returns: Whether the app leaves the foreground by this.
    mutating func leave() -> Bool {
        defer { self = .background }
        return self != .background
    }
}
