import HoldfastDomain

extension TicketGate {
    /// What is decided where the attempt could not be recorded.
    ///
    /// It is kept in memory and recorded as soon as that works again. Where the policy is to admit regardless, a ticket
    /// is still admitted no more often than is known: reading may work where writing does not, and this gate remembers
    /// whom it let through.
    func unrecorded(
        _ record: GateRecord,
        _ finding: TicketJudge.Finding,
        _ admission: AdmissionLedger.Admission?
    ) async -> Decision {
        ports.diagnostics.record(DiagnosticEvent(.recordFailed))
        var record = record
        record.reasons = finding.reasons.filter { $0 != .cannotRecord } + [.cannotRecord]
        guard let admission, finding.reasons.isEmpty, policy.onRecordFailure == .flag else {
            keep(Backlog.Item(record: record))
            return Decision(record, ticket: finding.claims)
        }
        let known: TicketUse?
        let isKnown: Bool
        do {
            (known, isKnown) = (try await ledger.standing(of: admission).use, true)
        } catch {
            // Not even reading works: what this gate itself remembers has to do.
            (known, isKnown) = (nil, false)
        }
        let (use, refusal, isDropping) = state.withLock { state -> (TicketUse?, DenialCode?, Bool) in
            let use = state.backlog.use(of: admission, after: known)
            let outcome = admission.rule.decide(record.direction, after: use, at: record.at.wall, gate: record.gate)
            // Nobody is kept inside because it is not known that they are.
            let isLeaving = record.direction == .exit && !isKnown && use == nil
            if case .refused(let code) = outcome, !isLeaving {
                record.reasons.insert(code, at: 0)
                return (use, code, state.backlog.append(Backlog.Item(record: record)))
            }
            record.reasons = []
            state.admittedUnrecorded &+= 1
            let item = Backlog.Item(record: record, admission: admission)
            guard case .counted(let next) = outcome else { return (nil, nil, state.backlog.append(item)) }
            return (next, nil, state.backlog.append(item))
        }
        if refusal == nil { ports.diagnostics.record(DiagnosticEvent(.admittedUnrecorded)) }
        if isDropping { ports.diagnostics.record(DiagnosticEvent(.entriesDropped)) }
        return Decision(record, ticket: finding.claims, use: use)
    }

    private func keep(_ item: Backlog.Item) {
        guard state.withLock({ $0.backlog.append(item) }) else { return }
        ports.diagnostics.record(DiagnosticEvent(.entriesDropped))
    }

    /// Records attempts that could not be recorded when they happened; those that still cannot stay. Two calls at once
    /// do no harm.
    func record(_ items: some Sequence<Backlog.Item>) async throws {
        var recorded: Set<EntryID> = []
        defer { if !recorded.isEmpty { state.withLock { $0.backlog.remove(recorded) } } }
        for item in items {
            try await ledger.restore(item.record, as: item.admission)
            recorded.insert(item.record.scanID)
        }
    }

    /// Records everything that could not be recorded when it happened.
    func recordBacklog() async throws { try await record(state.withLock { $0.backlog.items }) }
}

extension DiagnosticEvent.Code {
    /// Somebody was admitted before it could be recorded, as the policy allows.
    public static let admittedUnrecorded = DiagnosticEvent.Code("admitted_unrecorded")
}
