/// Judges tickets by everything but their use: pure, given the time and something that checks signatures.
///
/// The order is fixed. A failure up to the signature ends the examination with that one reason, so that nothing a
/// forger wrote is ever acted upon. A text that lacks nothing but a member is `malformed` too, but where a key says
/// that its issuer never signed it, it is a forgery and denied with `bad_signature`. After the signature every rule is
/// checked, and all that fail are reported, in the order of `DenialCode`:
///
/// 1. `malformed` / `unsupported_format`
/// 2. `no_keys` → `unknown_event` → `unknown_key`
/// 3. `key_compromised` / `key_not_valid`
/// 4. `bad_signature`
/// 5. `revoked`, `wrong_event`, `wrong_zone`, `issued_in_future`, `not_yet_valid`, `expired`
/// 6. the use, which `UseRule` decides: `already_used`, `not_inside`
/// 7. the gate's own state: `clock_untrusted`, `config_stale`, `cannot_record`
///
/// The rules of an event apply to its own tickets wherever they are shown: a ticket of another installed event is denied
/// with `wrong_event` only once its own event's key has verified it. An exit does not check the time window, so that
/// nobody is kept inside by an expired ticket.
public struct TicketJudge: Sendable {
    /// The configuration in force; nil if there is none.
    public let configuration: KeyConfiguration?
    /// Where the gate stands.
    public let place: GatePlace
    /// What it may decide for itself.
    public let policy: GatePolicy
    /// When the configuration was installed, for its age where it does not say when it was made.
    public let installedAt: Timestamp?

    /// A judge for one gate under one configuration.
    public init(
        configuration: KeyConfiguration?,
        place: GatePlace,
        policy: GatePolicy = GatePolicy(),
        installedAt: Timestamp? = nil
    ) {
        self.configuration = configuration
        self.place = place
        self.policy = policy
        self.installedAt = installedAt
    }

    /// What an examination found.
    public struct Finding: Sendable {
        /// What speaks against the ticket, the primary reason first.
        public var objections: [DenialCode] = []
        /// What speaks against the gate itself: it comes after everything about the ticket.
        public var doubts: [DenialCode] = []
        /// What the ticket says; nil if none could be read.
        public var claims: TicketClaims?
        /// The event whose key verified the ticket; nil if none did.
        public var event: TicketEvent?
        /// How many entries the ticket itself allows, if it says so.
        public var entries: Int?

        /// A finding of nothing yet.
        public init() {}

        init(objections: [DenialCode]) { self.objections = objections }

        /// Everything that was found; empty if nothing speaks against it but, perhaps, its use.
        public var reasons: [DenialCode] { objections + doubts }

        /// Everything that was found, and what the use adds to that, in order; `use` is what the ticket's comes to
        /// before the attempt that `record` is of.
        public func reasons(adding rule: UseRule, after use: TicketUse?, of record: GateRecord) -> [DenialCode] {
            let outcome = rule.decide(record.direction, after: use, at: record.at.wall, gate: record.gate)
            guard case .refused(let code) = outcome else { return reasons }
            return objections + [code] + doubts
        }

        /// What an admission of the ticket would be; nil unless it is genuine.
        ///
        /// - Parameters:
        ///   - judge: Who found this out.
        ///   - day: The civil day of the attempt at the event, where its entries count per day.
        public func admission(by judge: TicketJudge, on day: CivilDay?) -> AdmissionLedger.Admission? {
            guard let event, let claims else { return nil }
            return AdmissionLedger.Admission(
                event: event.id,
                ticket: claims.ticketID,
                rule: event.useRule(entries: entries, on: day),
                keepUntil: judge.keepUntil(claims)
            )
        }
    }

    /// Examines what was read at a moment in which the clock deserves `confidence`.
    ///
    /// - Throws: `CryptoError` when the verifier itself failed; the ticket is then neither good nor bad.
    public func examine(
        _ reading: TicketReading,
        at now: ClockReading,
        clock confidence: ClockConfidence,
        verifier: any SignatureVerifier
    ) throws -> Finding {
        let ticket: Ticket
        switch reading {
        case .ticket(let read): ticket = read
        case .foreign: return Finding(objections: [.unsupportedFormat])
        case .malformed: return Finding(objections: [.malformed])
        case .incomplete(let read): return try finding(ofIncomplete: read, at: now, verifier: verifier)
        }
        var finding = Finding()
        finding.claims = TicketClaims(ticket)
        finding.entries = ticket.entries
        guard let configuration else {
            finding.objections = [.noKeys]
            return finding
        }
        switch try configuration.authenticate(ticket, at: place, now: now.wall, verifier: verifier) {
        case .refused(let reason): finding.objections = [reason]
        case .genuine(let event, let key):
            finding.event = event
            finding.claims?.eventID = event.id
            finding.claims?.zoneID = ticket.zone ?? ticket.product.map(event.zone(ofProduct:))
            finding.claims?.keyID = key.id
            let zone = finding.claims?.zoneID
            finding.objections = objections(to: ticket, zone: zone, of: event, in: configuration, at: now)
            finding.doubts = doubts(in: configuration, at: now, clock: confidence)
        }
        return finding
    }

    private func finding(
        ofIncomplete ticket: Ticket,
        at now: ClockReading,
        verifier: any SignatureVerifier
    ) throws -> Finding {
        var finding = Finding(objections: [.malformed])
        finding.claims = TicketClaims(ticket)
        let authenticity = try configuration?.authenticate(ticket, at: place, now: now.wall, verifier: verifier)
        if case .refused(.badSignature)? = authenticity { finding.objections = [.badSignature] }
        return finding
    }

    /// Until when the use of a ticket must be remembered: as long as it may still be valid.
    public func keepUntil(_ claims: TicketClaims) -> Timestamp {
        guard let validTo = claims.validTo else { return .distantFuture }
        return validTo + (configuration?.toleranceAfter ?? .zero)
    }

    /// Which of the ticket's own rules fail.
    private func objections(
        to ticket: Ticket,
        zone: String?,
        of event: TicketEvent,
        in configuration: KeyConfiguration,
        at now: ClockReading
    ) -> [DenialCode] {
        var reasons: [DenialCode] = []
        if event.isRevoked(ticket.id) { reasons.append(.revoked) }
        if !event.id.isExactly(place.event) { reasons.append(.wrongEvent) }
        if !(zone.map { event.zone($0, opens: place.zone) } ?? false) { reasons.append(.wrongZone) }
        guard place.direction == .entry else { return reasons }
        let early = now.wall + configuration.toleranceBefore
        if let issuedAt = ticket.issuedAt, early < issuedAt { reasons.append(.issuedInFuture) }
        if let validFrom = ticket.validFrom, early < validFrom { reasons.append(.notYetValid) }
        if let validTo = ticket.validTo, now.wall >= validTo + configuration.toleranceAfter { reasons.append(.expired) }
        return reasons
    }

    /// What the gate itself cannot vouch for.
    private func doubts(
        in configuration: KeyConfiguration,
        at now: ClockReading,
        clock confidence: ClockConfidence
    ) -> [DenialCode] {
        var reasons: [DenialCode] = []
        if confidence == .suspect, policy.onSuspectClock == .refuse { reasons.append(.clockUntrusted) }
        if let limit = policy.maxConfigurationAge, let made = configuration.issuedAt ?? installedAt,
            now.wall - made > limit
        {
            reasons.append(.configStale)
        }
        return reasons
    }
}

extension TicketEvent {
    /// The rule for the use of a ticket that itself allows so many entries (nil: it does not say) on `day`.
    public func useRule(entries: Int?, on day: CivilDay?) -> UseRule {
        UseRule(
            entries: entries ?? admission.entries,
            allowsReentry: admission.allowsReentry,
            day: admission.isPerDay ? day : nil
        )
    }
}
