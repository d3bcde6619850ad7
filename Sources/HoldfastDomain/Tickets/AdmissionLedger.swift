/// Records attempts at a gate: the decision, the attempt and the use are one durable append.
///
/// A ticket's history is its subject in the journal, and its latest admission carries what its use comes to. "Is it
/// used?" and "it is now" are therefore one optimistic append at the next place of the history: of two gates, in one
/// process or in many, exactly one gets the place, and the other reads again and decides again.
///
/// Every call throws `KeyVaultError`, `CryptoError`, `QueueStoreError` or `GateFailure`; nothing was recorded then.
public struct AdmissionLedger: Sendable {
    /// More gates than this do not fight for one ticket at one moment.
    static let mostTries = 256

    let journal: any Journal
    let sealer: Sealer
    let hasher: SubjectHasher
    let random: any RandomSource
    let durability: Durability

    /// A ledger on the journal of `ports`, with the sealing keys of `ring` and the subjects of `hasher`.
    public init(ports: GatePorts, ring: KeyRing, hasher: SubjectHasher, durability: Durability) {
        journal = ports.journal
        sealer = Sealer(stream: .gate, ring: ring, cipher: ports.cipher)
        self.hasher = hasher
        random = ports.random
        self.durability = durability
    }

    /// What is to be recorded of a genuine ticket beside the attempt itself.
    public struct Admission: Hashable, Sendable {
        /// The event whose key verified it.
        public var event: String
        /// Its id.
        public var ticket: String
        /// The rule for its use.
        public var rule: UseRule
        /// Until when the use must be remembered.
        public var keepUntil: Timestamp

        /// The admission of a ticket of an event.
        public init(event: String, ticket: String, rule: UseRule, keepUntil: Timestamp) {
            self.event = event
            self.ticket = ticket
            self.rule = rule
            self.keepUntil = keepUntil
        }
    }

    /// A place in the history of a ticket, and what the use comes to there.
    public struct Standing: Hashable, Sendable {
        /// The place of the latest record; 0 if there is none.
        public var version: Int64
        /// The use; nil if the ticket is unused, or all of it was annulled.
        public var use: TicketUse?

        /// The standing of a ticket that was never shown.
        public static let unused = Standing(version: 0, use: nil)
    }

    /// One attempt, once recorded.
    public struct Recorded: Hashable, Sendable {
        /// The record, with its sequence.
        public var record: GateRecord
        /// What the ticket's use comes to now.
        public var use: TicketUse?
    }

    /// Where a ticket stands.
    public func standing(of admission: Admission) async throws -> Standing {
        try await standing(of: try await subject(of: admission))
    }

    /// Records an attempt with a ticket that is good in every way but, perhaps, its use, which the rule decides.
    ///
    /// An entry is first tried as if the ticket were unused, which is one call to the store for most tickets.
    public func admit(_ record: GateRecord, as admission: Admission) async throws -> Recorded {
        try await settle(record, as: admission, isFresh: true)
    }

    /// Records an attempt that changes no use: it has no place in a ticket's history.
    public func note(_ record: GateRecord) async throws -> GateRecord {
        try await note(record, isFresh: true)
    }

    /// Records an attempt that was answered before it could be recorded; recording it again does no harm. Somebody who was
    /// let in counts as admitted, whatever the limit says.
    public func restore(_ record: GateRecord, as admission: Admission?) async throws {
        if var admission {
            admission.rule.entries = .max
            _ = try await settle(record, as: admission, isFresh: false)
        } else {
            _ = try await note(record, isFresh: false)
        }
    }

    private func settle(_ record: GateRecord, as admission: Admission, isFresh: Bool) async throws -> Recorded {
        let subject = try await subject(of: admission)
        var record = record
        var standing = record.direction == .entry ? Standing.unused : try await self.standing(of: subject)
        for _ in 0..<Self.mostTries {
            switch admission.rule.decide(record.direction, after: standing.use, at: record.at.wall, gate: record.gate) {
            case .refused(let code):
                record.use = nil
                if isFresh { record.reasons = [code] }
                return Recorded(record: try await note(record, isFresh: isFresh), use: standing.use)
            case .counted(let use): record.use = use
            }
            let place = SubjectVersion(subject: subject, version: standing.version.addingSaturated(1))
            switch try await append(record, place: place, keepUntil: admission.keepUntil) {
            case .appended(let sequence):
                record.sequence = sequence
                return Recorded(record: record, use: record.use)
            case .conflict, .keyRetired: standing = try await self.standing(of: subject)
            case .duplicate where isFresh: record.scanID = EntryID(random: random)
            case .duplicate: return Recorded(record: record, use: record.use)
            }
        }
        throw GateFailure(.contended)
    }

    private func note(_ record: GateRecord, isFresh: Bool) async throws -> GateRecord {
        var record = record
        for _ in 0..<Self.mostTries {
            switch try await append(record, place: nil, keepUntil: nil) {
            case .appended(let sequence):
                record.sequence = sequence
                return record
            // A new id that is there already: a weak source of randomness must not cost a record.
            case .duplicate where isFresh: record.scanID = EntryID(random: random)
            case .duplicate, .conflict: return record
            case .keyRetired: continue
            }
        }
        throw GateFailure(.contended)
    }

    /// The subject of a ticket of an event. Ids of different events never meet.
    private func subject(of admission: Admission) async throws -> Subject {
        try await hasher.subject(namespace: "ticket \(admission.event)", id: admission.ticket)
    }

    private func standing(of subject: Subject) async throws -> Standing {
        guard let entry = try await journal.latest(subject) else { return .unused }
        return Standing(version: entry.draft.place?.version ?? 0, use: try await open(entry).use)
    }

    /// Appends a record as it is.
    func append(_ record: GateRecord, place: SubjectVersion?, keepUntil: Timestamp?) async throws -> AppendOutcome {
        let appended = try await sealer.append(to: journal, durability: durability) { key in
            [
                Draft(
                    id: record.scanID,
                    stream: .gate,
                    recordedAt: record.at.wall,
                    place: place,
                    keyID: key.id,
                    sealed: try sealer.seal(record.json, id: record.scanID, with: key),
                    keepUntil: keepUntil
                )
            ]
        }
        guard let outcome = appended.outcomes.first else { throw QueueStoreError(.libraryFailure) }
        return outcome
    }

    /// The record that an entry holds.
    func open(_ entry: Entry) async throws -> GateRecord {
        guard var record = GateRecord(json: try await sealer.open(entry, in: journal)) else {
            throw GateFailure(.historyUnreadable)
        }
        record.sequence = entry.sequence
        return record
    }
}
