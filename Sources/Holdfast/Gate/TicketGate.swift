import HoldfastDomain

/// A ticket gate that works without a network: it validates tickets, stops re-use and records every attempt.
///
/// ```swift
/// let gate = try await TicketGate(at: GatePlace(event: "EV1", zone: "GA", gate: "north-3"), ports: ports)
/// try await gate.install(configuration: bytes)
/// for await reading in scanner.readings {
///     let decision = await gate.admit(reading)       // recorded before it returns
///     show(decision)
/// }
/// let report = await gate.sync { batch in try await api.upload(batch) }
/// ```
///
/// All calls may come from any task, many at once. Several gates, in one process or in many, may share one journal and
/// vault: a ticket is then accepted once among them. Make one gate per camera or scanner, because a code in view of
/// one is not in view of another.
///
/// `refreshConfiguration()` picks up what another process has installed; call it once in a while, such as before each
/// scan or every minute.
public final class TicketGate: Sendable {
    /// The event, zone and direction of the gate.
    public let place: GatePlace
    /// The gate's settings.
    public let policy: GatePolicy

    let ports: GatePorts
    let ring: KeyRing
    let hasher: SubjectHasher
    let ledger: AdmissionLedger
    let shelf: ConfigurationShelf
    let state: Locked<GateState>

    /// Opens a gate on the journal of `ports`, with the configuration that was last installed there.
    ///
    /// A stored configuration that can no longer be opened does not prevent this: the gate then has no keys, says so in
    /// `status()`, and can be given a newer configuration.
    ///
    /// Nor does a damaged key: what it has sealed waits until the key is restored or removed, and if it is the newest key,
    /// nothing more can be recorded until `rotateKey()`.
    ///
    /// Nor does a vault in which the secret behind the tickets' subjects is lost or damaged: the gate then admits nobody,
    /// because every ticket would look unused. Records can still be handed over. Restore the vault, or move journal and
    /// vault aside together to begin anew. A journal that is new although there are keys is noted, and `status()` reports
    /// it from then on.
    ///
    /// - Throws: `KeyVaultError` or `QueueStoreError` when the vault or the journal cannot be used now; try again.
    public init(at place: GatePlace, policy: GatePolicy = GatePolicy(), ports: GatePorts) async throws {
        self.place = place
        self.policy = policy
        self.ports = ports
        ring = KeyRing(stream: .gate, vault: ports.vault, random: ports.random)
        hasher = SubjectHasher(
            vault: ports.vault,
            journal: ports.journal,
            digest: ports.digest,
            random: ports.random
        )
        ledger = AdmissionLedger(ports: ports, ring: ring, hasher: hasher, durability: policy.durability)
        shelf = ConfigurationShelf(ports: ports, hasher: hasher)
        let counts = try await ports.journal.statistics(.gate)
        let witness = ClockWitness(
            started: ports.clock.now(),
            tolerance: policy.clockTolerance,
            watchesDrift: policy.watchesClockDrift,
            newestRecord: counts.newestRecorded
        )
        let rules = Rules(nil, at: place, policy: policy, generation: 0)
        state = Locked(GateState(rules: rules, presence: PresenceFilter(gap: policy.presence), witness: witness))
        // Before a key is made: a vault or a journal that was emptied would otherwise look like a new one.
        try await lookForLostJournal(counts)
        _ = try await journalLoss()
        try await lookForLostKeys(of: counts.entriesByKey)
        // A damaged key seals nothing, and is not replaced by itself; what others have sealed can still be handed over.
        _ = try await unlessDamaged { try await ring.current(from: counts.keyFloor) { counts.unusedKey } }
        if let anchor = try await storedAnchor() { state.withLock { $0.witness.anchor = anchor } }
        try await refreshConfiguration()
    }

    /// The configuration in force; nil if there is none.
    public var configuration: KeyConfiguration? { state.withLock { $0.rules }.judge.configuration }
}

/// What a gate decides by: immutable, and replaced as a whole, so that a scan sees one configuration.
final class Rules: Sendable {
    let reader: GateTicketReader
    let judge: TicketJudge
    /// The shelf's generation that this was read at.
    let generation: Int64

    init(_ installed: ConfigurationShelf.Installed?, at place: GatePlace, policy: GatePolicy, generation: Int64) {
        reader = GateTicketReader(configuration: installed?.configuration, place: place)
        judge = TicketJudge(
            configuration: installed?.configuration,
            place: place,
            policy: policy,
            installedAt: installed?.installedAt
        )
        self.generation = generation
    }
}

/// Everything about a gate that changes.
struct GateState {
    var rules: Rules
    /// Why nobody can be admitted: the vault has lost the secret behind the journal's subjects.
    var lostSecret: GateFailure?
    /// When the journal was found new beside keys that were in use.
    var journalLostAt: Timestamp?
    /// The shelf's generation that could not be read, and why, if one could not.
    var unreadable: (generation: Int64, failure: GateFailure)?
    var presence: PresenceFilter<Decision>
    /// Who waits for the decision on a code that is being decided upon.
    var inFlight: [CodeText: [CheckedContinuation<Decision?, Never>]] = [:]
    var witness: ClockWitness
    /// When, by uptime, the server time and the keys of other processes were last looked for.
    var lastFollowed: Interval
    /// Attempts that could not be recorded yet.
    var backlog = Backlog()
    /// Why the last of them could not.
    var recordFailure: GateFailure?
    /// The keys that were last found missing or damaged.
    var lostKeys = LostKeys()
    /// How many were ever admitted before it could be recorded.
    var admittedUnrecorded = 0

    init(rules: Rules, presence: PresenceFilter<Decision>, witness: ClockWitness) {
        self.rules = rules
        self.presence = presence
        self.witness = witness
        lastFollowed = witness.started.uptime
    }
}
