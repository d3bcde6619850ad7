/// Whether the user agreed that events are collected.
public enum Consent: String, Hashable, Sendable {
    /// Not asked yet: events are kept, and nothing is sent.
    case pending
    /// Agreed: events are kept and sent.
    case granted
    /// Refused: nothing is taken, and what was kept is erased with its keys.
    case denied
}
