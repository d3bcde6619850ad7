import HoldfastDomain

extension TicketGate {
    /// Decides about one showing of a code, and records the attempt before it returns.
    ///
    /// It never throws and needs no network. What cannot be recorded is not admitted (`cannot_record`), unless the
    /// policy says otherwise. A code that stays in view gets its first decision again, marked as a repeat.
    public func admit(_ reading: ScanReading) async -> Decision {
        let now = ports.clock.now()
        guard policy.presence > .zero, reading.bytes.count <= PresenceFilter<Decision>.longestText else {
            return await decide(reading.bytes, at: now)
        }
        let text = CodeText(reading.bytes)
        enum Sighting {
            case first
            case known(Decision)
            case undecided
        }
        let sighting = state.withLock { state -> Sighting in
            if let decision = state.presence.decision(on: text, at: now.uptime) { return .known(decision) }
            if state.inFlight[text] != nil { return .undecided }
            state.inFlight[text] = []
            return .first
        }
        switch sighting {
        case .known(let decision): return decision.repeated
        case .undecided:
            if let decision = await decisionInFlight(on: text) { return decision.repeated }
            return await admit(reading)
        case .first:
            let decision = await decide(text.bytes, at: now)
            let waiting = state.withLock { state in
                // What was neither recorded nor admitted may be tried again at once.
                if decision.isRecorded || decision.isAccepted {
                    state.presence.remember(decision, on: text, at: now.uptime)
                }
                return state.inFlight.removeValue(forKey: text) ?? []
            }
            for continuation in waiting { continuation.resume(returning: decision) }
            return decision
        }
    }

    /// Decides about one showing of a code, given as text.
    public func admit(_ text: String) async -> Decision { await admit(ScanReading(text)) }

    /// Decides about one showing of a code, given as the bytes a scanner read.
    public func admit(_ bytes: [UInt8]) async -> Decision { await admit(ScanReading(bytes: bytes)) }

    /// Waits for the decision that another call is about to take on the same code; nil if it was just taken.
    private func decisionInFlight(on text: CodeText) async -> Decision? {
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state -> Bool in
                guard state.inFlight[text] != nil else { return false }
                state.inFlight[text]?.append(continuation)
                return true
            }
            if !isWaiting { continuation.resume(returning: nil) }
        }
    }
}
