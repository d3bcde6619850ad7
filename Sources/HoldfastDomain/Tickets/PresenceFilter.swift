/// Remembers which codes are in view of a camera, so that one showing of a code is one attempt.
///
/// A camera reports the same code ten to thirty times a second. A code stays in view as long as less than the gap
/// passes between two sightings, by the monotonic clock; the decision on its first sighting then stands for all.
/// A different code is new at once.
///
/// Memory is bounded, and no call takes longer the more is remembered: codes are kept in two generations. When the
/// younger is full it becomes the older, which is forgotten then; a code that is seen again moves to the younger.
public struct PresenceFilter<Decision: Sendable>: Sendable {
    /// How many codes are remembered at least, and half of how many at most.
    public static var capacity: Int { 32 }
    /// Longer texts are not remembered: no printed code holds more (a QR code at most 7089 characters,
    /// ISO/IEC 18004).
    public static var longestText: Int { 8192 }

    private struct Showing {
        var decision: Decision
        var lastSeen: Interval
    }

    private let gap: Interval
    private var younger: [CodeText: Showing] = [:]
    private var older: [CodeText: Showing] = [:]

    /// A filter for which a code is out of view after `gap`; zero remembers nothing.
    public init(gap: Interval) { self.gap = gap }

    /// The decision on `text` if it is still in view at `uptime`; the sighting keeps it in view.
    public mutating func decision(on text: CodeText, at uptime: Interval) -> Decision? {
        guard var showing = younger[text] ?? older[text], uptime - showing.lastSeen < gap else { return nil }
        showing.lastSeen = max(showing.lastSeen, uptime)
        keep(showing, of: text)
        return showing.decision
    }

    /// Remembers the decision on a text that came into view at `uptime`.
    public mutating func remember(_ decision: Decision, on text: CodeText, at uptime: Interval) {
        guard gap > .zero, text.bytes.count <= Self.longestText else { return }
        keep(Showing(decision: decision, lastSeen: uptime), of: text)
    }

    /// Forgets everything: what was decided may no longer hold.
    public mutating func forgetAll() {
        younger = [:]
        older = [:]
    }

    private mutating func keep(_ showing: Showing, of text: CodeText) {
        if younger.count >= Self.capacity, younger[text] == nil {
            older = younger
            younger = [:]
            younger.reserveCapacity(Self.capacity)
        }
        younger[text] = showing
    }
}
