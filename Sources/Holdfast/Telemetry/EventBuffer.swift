import HoldfastDomain

/// An event on its way to the journal, encoded already.
struct BufferedEvent: Sendable {
    /// Its permanent id.
    let id: EntryID
    /// When it happened.
    let timestamp: Timestamp
    /// Its exact wire form.
    let json: [UInt8]
    /// Who waits for it to be durable.
    var waiter: CheckedContinuation<Void, any Error>?

    /// What it takes in memory, near enough: its bytes and what is around them.
    var cost: Int { json.count + 128 }
}

/// Where `log` puts events, from any thread, in no more time than it takes to hold a lock for a few instructions.
///
/// It is bounded: when the disk or the keys fall behind, new events are refused and counted, and those that were
/// taken stay.
final class EventBuffer: Sendable {
    private struct State {
        var events: [BufferedEvent] = []
        var cost = 0
        var costInWriting = 0
        var losses: [LossReason: Int] = [:]
        var session: String
        var isRefusing: Bool
        var isSignalled = false
        var isClosed = false
        var isHurried = false

        /// True the first time after a `take`.
        mutating func signal() -> Bool {
            defer { isSignalled = true }
            return !isSignalled
        }
    }

    /// What a writer takes away.
    struct Batch {
        var events: [BufferedEvent]
        var losses: [LossReason: Int]
        var isEmpty: Bool { events.isEmpty && losses.isEmpty }
    }

    /// What became of an event that was brought here.
    struct Admission {
        /// Why it was not taken; nil if it was.
        var refusal: TelemetryError?
        /// Whether a writer has to be called.
        var needsWriter: Bool
    }

    private let state: Locked<State>
    private let capacity: Int

    init(capacity: Int, session: String, consent: Consent) {
        self.capacity = capacity
        state = Locked(State(session: session, isRefusing: consent == .denied))
    }

    /// The current session's id.
    var session: String { state.withLock { $0.session } }

    func setSession(_ id: String) { state.withLock { $0.session = id } }

    func setConsent(_ consent: Consent) { state.withLock { $0.isRefusing = consent == .denied } }

    /// From now on nothing is taken.
    func close() { state.withLock { $0.isClosed = true } }

    /// Whether somebody waits for an event to be durable.
    var isHurried: Bool { state.withLock { $0.isHurried } }

    /// How many events wait here or are being written, and what they take in bytes.
    var load: (count: Int, cost: Int) { state.withLock { ($0.events.count, $0.cost + $0.costInWriting) } }

    /// Takes an event at the end of the line, or counts the refusal.
    func append(_ event: BufferedEvent) -> Admission {
        state.withLock { state in
            if state.isClosed { return Admission(refusal: TelemetryError(.closed), needsWriter: false) }
            let refusal: TelemetryError?
            if state.isRefusing {
                refusal = TelemetryError(.consentDenied)
            } else if event.cost > capacity - state.cost - state.costInWriting {
                refusal = TelemetryError(.bufferFull)
            } else {
                refusal = nil
                state.cost += event.cost
                state.events.append(event)
                if event.waiter != nil { state.isHurried = true }
            }
            if let refusal { state.losses[refusal.lossReason, default: 0] += 1 }
            return Admission(refusal: refusal, needsWriter: state.signal() || event.waiter != nil)
        }
    }

    /// Counts an event that was refused before it got here.
    ///
    /// - Returns: Whether a writer has to be called.
    func count(_ reason: LossReason) -> Bool {
        state.withLock { state in
            state.losses[reason, default: 0] += 1
            return state.signal()
        }
    }

    /// Takes the oldest events away, up to `limit`, with all refusals counted so far. Their bytes count against the
    /// capacity until `settle`.
    func take(limit: Int) -> Batch {
        state.withLock { state in
            state.isSignalled = false
            state.isHurried = false
            let events: [BufferedEvent]
            if state.events.count <= limit {
                events = state.events
                state.events = []
            } else {
                events = Array(state.events.prefix(limit))
                state.events.removeFirst(limit)
            }
            let cost = events.reduce(0) { $0 + $1.cost }
            state.cost -= cost
            state.costInWriting += cost
            defer { state.losses = [:] }
            return Batch(events: events, losses: state.losses)
        }
    }

    /// Ends a `take`: what could not be written, in order, goes back to the head of the line.
    func settle(_ taken: Batch, unwritten: Batch? = nil) {
        state.withLock { state in
            state.costInWriting -= taken.events.reduce(0) { $0 + $1.cost }
            guard let unwritten else { return }
            state.cost += unwritten.events.reduce(0) { $0 + $1.cost }
            state.events.insert(contentsOf: unwritten.events, at: 0)
            state.losses.merge(unwritten.losses) { $0 + $1 }
        }
    }

    /// Throws everything away that waits here, and counts it.
    ///
    /// - Returns: The events, whose waiters are still to be told.
    func erase() -> [BufferedEvent] {
        state.withLock { state in
            let events = state.events
            state.events = []
            state.cost = 0
            if !events.isEmpty { state.losses[.consent, default: 0] += events.count }
            return events
        }
    }
}
