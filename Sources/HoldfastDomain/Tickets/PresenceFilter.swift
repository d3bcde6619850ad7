/// Knows which codes are in view of a camera, so that one showing of a code is one attempt.
///
/// A camera reports the same code ten to thirty times a second. A code stays in view as long as no more than the gap
/// passes between two sightings, by the monotonic clock; the decision on its first sighting then stands for all.
/// A different code is new at once. Memory is bounded: the code longest out of view is forgotten first.
public struct PresenceFilter<Decision: Sendable>: Sendable {
    /// How many codes are remembered at most.
    public static var capacity: Int { 32 }
    /// Longer texts are not remembered: no printed code holds more (a QR code at most 7089 characters,
    /// ISO/IEC 18004).
    public static var longestText: Int { 8192 }

    private struct Showing {
        var decision: Decision
        var lastSeen: Interval
    }

    private let gap: Interval
    private var showings: [[UInt8]: Showing] = [:]

    /// A filter for which a code is out of view after `gap`; zero remembers nothing.
    public init(gap: Interval) { self.gap = gap }

    /// Whether anything is remembered at all.
    public var isOn: Bool { gap > .zero }

    /// The decision on `text` if it is still in view at `uptime`; the sighting keeps it in view.
    public mutating func decision(on text: [UInt8], at uptime: Interval) -> Decision? {
        guard let showing = showings[text] else { return nil }
        guard uptime - showing.lastSeen < gap else {
            showings[text] = nil
            return nil
        }
        showings[text]?.lastSeen = max(showing.lastSeen, uptime)
        return showing.decision
    }

    /// Remembers the decision on a text that came into view at `uptime`.
    public mutating func remember(_ decision: Decision, on text: [UInt8], at uptime: Interval) {
        guard isOn, text.count <= Self.longestText else { return }
        if showings.count >= Self.capacity, showings[text] == nil {
            showings = showings.filter { uptime - $0.value.lastSeen < gap }
        }
        if showings.count >= Self.capacity, showings[text] == nil,
            let oldest = showings.min(by: { $0.value.lastSeen < $1.value.lastSeen })
        {
            showings[oldest.key] = nil
        }
        showings[text] = Showing(decision: decision, lastSeen: uptime)
    }

    /// Forgets everything: what was decided may no longer hold.
    public mutating func forgetAll() { showings = [:] }
}
