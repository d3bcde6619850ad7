/// How often a ticket may be used: one rule for single entry, several entries, entry per day and re-entry.
public struct UseRule: Hashable, Sendable {
    /// How many entries may count; on one day, where `day` is set.
    public var entries: Int
    /// Whether somebody who has left through an exit may come in again without it counting.
    public var allowsReentry: Bool
    /// The civil day of the attempt, where entries count per day.
    public var day: CivilDay?

    /// A rule of these parts.
    public init(entries: Int = 1, allowsReentry: Bool = false, day: CivilDay? = nil) {
        self.entries = entries
        self.allowsReentry = allowsReentry
        self.day = day
    }

    /// What an attempt comes to.
    public enum Outcome: Hashable, Sendable {
        /// It may go through; the ticket's use is then this.
        case counted(TicketUse)
        /// It may not.
        case refused(DenialCode)
    }

    /// Decides an attempt on a ticket whose use so far is `previous` (nil: never used, or annulled altogether).
    ///
    /// Only a later day starts a new count: a clock set back does not make a used ticket fresh.
    public func decide(
        _ direction: GateRecord.Direction,
        after previous: TicketUse?,
        at moment: Timestamp,
        gate: String
    ) -> Outcome {
        switch direction {
        case .exit:
            guard var use = previous, use.isInside else { return .refused(.notInside) }
            use.isInside = false
            use.isReentry = false
            return .counted(use)
        case .entry:
            guard var use = previous, !startsNewCount(after: use) else {
                guard entries >= 1 else { return .refused(.alreadyUsed) }
                return .counted(TicketUse(entries: 1, isInside: true, firstAt: moment, firstGate: gate, day: day))
            }
            use.isReentry = allowsReentry && !use.isInside
            if !use.isReentry {
                guard use.entries < entries else { return .refused(.alreadyUsed) }
                use.entries += 1
            }
            use.isInside = true
            use.day = use.day ?? day
            return .counted(use)
        }
    }

    private func startsNewCount(after use: TicketUse) -> Bool {
        guard let day, let counted = use.day else { return false }
        return counted < day
    }
}

extension TicketUse {
    /// The use that these admissions of one ticket, in their order, come to; nil if they come to none.
    ///
    /// An annulment uses it to find the state that the rest of a history would have led to. Limits are not applied again:
    /// those people were let in.
    public static func replaying(_ admissions: some Sequence<GateRecord>) -> TicketUse? {
        var use: TicketUse?
        for admission in admissions {
            guard let recorded = admission.use else { continue }
            let rule = UseRule(entries: .max, allowsReentry: recorded.isReentry, day: recorded.day)
            let outcome = rule.decide(admission.direction, after: use, at: admission.at.wall, gate: admission.gate)
            if case .counted(let next) = outcome { use = next }
        }
        return use
    }
}
