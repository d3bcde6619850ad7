import HoldfastDomain

extension TicketGate {
    /// Reads, judges and records one attempt.
    func decide(_ text: [UInt8], at now: ClockReading) async -> Decision {
        let (rules, confidence, lostSecret) = state.withLock {
            ($0.rules, $0.witness.confidence(at: now), $0.lostSecret)
        }
        let judge = rules.judge
        let reading = rules.reader.read(text)
        var record = GateRecord(
            scanID: EntryID(random: ports.random),
            place: place,
            at: now,
            clock: confidence,
            configurationVersion: judge.configuration?.version
        )
        var finding = TicketJudge.Finding()
        var failure: GateFailure?
        do {
            finding = try judge.examine(reading, at: now, clock: confidence, verifier: ports.verifier)
        } catch {
            // Neither good nor bad: nobody is let in on a signature that could not be checked, whatever the policy.
            switch reading {
            case .ticket(let ticket), .incomplete(let ticket): finding.claims = TicketClaims(ticket)
            case .foreign, .malformed: break
            }
            finding.objections = [.cannotRecord]
            failure = GateFailure(error)
        }
        if let lostSecret, case .ticket = reading {
            finding.objections = [.cannotRecord]
            failure = lostSecret
        }
        record.describe(finding.claims)
        let admission = finding.admission(by: judge, on: day(of: finding.event, at: now.wall))
        var decision: Decision
        do {
            if finding.claims == nil {
                record.unreadable = UnreadableText(sha256: try ports.digest.sha256(text), length: text.count)
            }
            // Before this ticket is looked at, what this gate owes the journal about it.
            if let admission { try await self.record(state.withLock { $0.backlog.items(of: admission) }) }
            decision = try await recorded(record, finding, admission)
            state.withLock { $0.witness.noteRecord(at: now, confidence: confidence) }
            // A few at a time, so that nobody waits for the rest; what stays is tried again after the next record.
            try? await self.record(state.withLock { $0.backlog.items.prefix(4) })
        } catch {
            let cause = GateFailure(error)
            failure = cause
            state.withLock { $0.recordFailure = cause }
            decision = await unrecorded(record, finding, admission)
        }
        decision.failure = failure
        switch reading {
        case .malformed(let reason): decision.malformed = reason
        case .incomplete(let ticket) where decision.reason == .malformed:
            decision.malformed = .member.about(ticket.missingMember)
        case .incomplete, .ticket, .foreign: break
        }
        return decision
    }

    private func day(of event: TicketEvent?, at moment: Timestamp) -> CivilDay? {
        guard let event, event.admission.isPerDay else { return nil }
        return ports.calendar.day(of: moment, in: event.timeZone)
    }

    /// Records what was found, with the use of the ticket if it is genuine.
    private func recorded(
        _ record: GateRecord,
        _ finding: TicketJudge.Finding,
        _ admission: AdmissionLedger.Admission?
    ) async throws -> Decision {
        if let admission, finding.reasons.isEmpty {
            let recorded = try await ledger.admit(record, as: admission)
            return Decision(recorded.record, ticket: finding.claims, use: recorded.use)
        }
        var record = record
        record.reasons = finding.reasons
        var use: TicketUse?
        if let admission {
            // Denied already: the history may add a reason, but cannot take one away, so reading it may fail.
            use = try? await ledger.standing(of: admission).use
            record.reasons = finding.reasons(adding: admission.rule, after: use, of: record)
        }
        return Decision(try await ledger.note(record), ticket: finding.claims, use: use)
    }
}

extension GateRecord {
    /// Takes over what a ticket says of itself.
    fileprivate mutating func describe(_ claims: TicketClaims?) {
        ticketID = claims?.ticketID
        eventID = claims?.eventID
        zoneID = claims?.zoneID
        keyID = claims?.keyID
    }
}
