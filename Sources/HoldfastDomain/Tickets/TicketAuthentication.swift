extension KeyConfiguration {
    /// Whether a ticket is genuine, and by which key of which event.
    enum Authenticity {
        case genuine(TicketEvent, IssuerKey)
        case refused(DenialCode)
    }

    /// Finds the key that a ticket must be verified with, and verifies it.
    ///
    /// A ticket that names no event belongs to the one whose key verifies it: the gate's own is tried first, then the
    /// others in written order.
    func authenticate(
        _ ticket: Ticket,
        at place: GatePlace,
        now: Timestamp,
        verifier: any SignatureVerifier
    ) throws -> Authenticity {
        guard !events.isEmpty else { return .refused(.noKeys) }
        if let name = ticket.event {
            guard let event = event(name) else { return .refused(.unknownEvent) }
            return try event.authenticate(ticket, now: now, verifier: verifier)
        }
        let own = events.filter { $0.id.isExactly(place.event) }
        let others = events.filter { !$0.id.isExactly(place.event) }
        var refusal: DenialCode?
        for event in own + others where event.format == .pretix {
            switch try event.authenticate(ticket, now: now, verifier: verifier) {
            case .genuine(let event, let key): return .genuine(event, key)
            // If no key verifies the ticket, an unusable key says more than a signature that does not fit.
            case .refused(let reason): if refusal == nil || refusal == .badSignature { refusal = reason }
            }
        }
        return .refused(refusal ?? .unsupportedFormat)
    }
}

extension TicketEvent {
    /// Verifies a ticket with the key it names or, where it names none, with each key that may be used.
    ///
    /// If none of those verifies it, the others are tried as well, only to say why: a ticket signed by a compromised key
    /// is denied with `key_compromised`, not with `bad_signature`.
    func authenticate(_ ticket: Ticket, now: Timestamp, verifier: any SignatureVerifier) throws
        -> KeyConfiguration.Authenticity
    {
        func verifies(_ key: IssuerKey) throws -> Bool {
            try verifier.isValid(ticket.signature, over: ticket.signedBytes, by: key.publicKey)
        }
        if let name = ticket.keyID {
            guard let key = key(name) else { return .refused(.unknownKey) }
            if let objection = key.objection(issuedAt: ticket.issuedAt, now: now) { return .refused(objection) }
            return try verifies(key) ? .genuine(self, key) : .refused(.badSignature)
        }
        var unusable: [(key: IssuerKey, objection: DenialCode)] = []
        for key in keys {
            if let objection = key.objection(issuedAt: ticket.issuedAt, now: now) {
                unusable.append((key, objection))
            } else if try verifies(key) {
                return .genuine(self, key)
            }
        }
        for (key, objection) in unusable where try verifies(key) { return .refused(objection) }
        guard unusable.count == keys.count, let first = unusable.first else { return .refused(.badSignature) }
        return .refused(first.objection)
    }
}
