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
            state.withLock { $0.backlog.append(Backlog.Item(record: record)) }
            return Decision(record, ticket: finding.claims)
        }
        // Where not even reading works, what this gate itself remembers has to do.
        let known = try? await ledger.standing(of: admission).use
        let decision = state.withLock { state in
            let use = state.backlog.use(of: admission, after: known)
            let outcome = admission.rule.decide(record.direction, after: use, at: record.at.wall, gate: record.gate)
            switch outcome {
            case .refused(let code):
                record.reasons = [code, .cannotRecord]
                state.backlog.append(Backlog.Item(record: record))
                return Decision(record, ticket: finding.claims, use: use)
            case .counted(let next):
                record.reasons = []
                state.backlog.append(Backlog.Item(record: record, admission: admission))
                state.admittedUnrecorded &+= 1
                return Decision(record, ticket: finding.claims, use: next)
            }
        }
        if decision.isAccepted { ports.diagnostics.record(DiagnosticEvent(.admittedUnrecorded)) }
        return decision
    }

    /// Records what could not be recorded when it happened; what still cannot stays. Two calls at once do no harm.
    func recordBacklog() async throws {
        for item in state.withLock({ $0.backlog.items }) {
            try await ledger.restore(item.record, as: item.admission)
            state.withLock { $0.backlog.remove(item.record.scanID) }
        }
    }
}

extension DiagnosticEvent.Code {
    /// Somebody was admitted before it could be recorded, as the policy allows.
    public static let admittedUnrecorded = DiagnosticEvent.Code("admitted_unrecorded")
}
