import HoldfastDomain

/// How a gate stands.
public struct GateStatus: Hashable, Sendable {
    /// The version of the configuration in force; nil if there is none.
    public var configurationVersion: Int64?
    /// When the configuration in force was made or, if it does not say so, installed.
    public var configurationDate: Timestamp?
    /// The events that are installed.
    public var events: [String] = []
    /// Why a configuration that is stored is not in force, if one is not.
    public var configurationFailure: GateFailure?
    /// How far the wall clock can be trusted.
    public var clock = ClockConfidence.unanchored
    /// Records waiting to be handed over.
    public var queued = 0
    /// Records handed over that are still kept.
    public var delivered = 0
    /// Records set aside that are still kept.
    public var setAside = 0
    /// When the oldest queued record was made.
    public var oldestQueued: Timestamp?
    /// The number of the last record.
    public var lastSequence: Int64 = 0
    /// What the journal takes on disk, in bytes.
    public var diskBytes: Int64 = 0
    /// How long nothing is to be handed over, after a failure; zero if nothing stands in the way.
    public var wait = Interval.zero
    /// Whether the server itself ordered that wait.
    public var isWaitOrdered = false
    /// How long records wait that are to be sent again later, each for itself; zero if none does.
    public var deferral = Interval.zero
    /// Attempts of this process that could not be recorded yet, and wait in memory.
    public var unrecorded = 0
    /// Why the last of them could not be recorded; nil if none waits.
    public var unrecordedFailure: GateFailure?
    /// Attempts of this process that could not be recorded at all.
    public var neverRecorded = 0
    /// Records whose keys are gone from the vault, which was emptied or exchanged. Whether their tickets were used is
    /// not known any more.
    public var lostRecords = 0
    /// The keys that are damaged in the vault, where they are called `gate.key.` and their number, with how many records
    /// each has sealed. Those that are queued wait: once the key is restored from a backup they are handed over, and
    /// once it is removed they are set aside.
    public var damagedKeys: [KeyID: Int] = [:]
    /// Whether the newest key is damaged: nothing can be recorded until it is restored or `rotateKey()` makes another.
    public var isNewestKeyDamaged = false
    /// When the journal was found new although there were keys: it was deleted or emptied, and which tickets were used
    /// before is not known. nil if it never was.
    public var journalLostAt: Timestamp?
    /// What damage to the journal's file has taken; nil if it was never damaged. It is a fact of this journal, so
    /// nothing ends it but another journal.
    public var lost: JournalLoss?
    /// How many this process admitted before it could be recorded, as the policy allows.
    public var admittedUnrecorded = 0

    /// What keeps records from being handed over now, as far as the journal tells; nil if nothing does.
    public var why: DeliveryObstacle? {
        if wait > .zero { return isWaitOrdered ? .serverWait : .backoff }
        return deferral > .zero ? .deferred : nil
    }

    /// The status of a gate that has done nothing.
    public init() {}
}

/// Records that are gone because the journal's file was damaged, whether they were handed over or not. It is not known
/// any more whether their tickets were used.
public struct JournalLoss: Hashable, Sendable {
    /// How many at least; nil where nothing tells how many.
    public var atLeast: Int?
    /// When a gate first saw it, or first saw that it had become more.
    public var noticed: Timestamp

    /// A loss of these parts.
    public init(atLeast: Int?, noticed: Timestamp) {
        self.atLeast = atLeast
        self.noticed = noticed
    }
}

extension TicketGate {
    /// How the gate stands now.
    ///
    /// - Throws: `QueueStoreError` when the journal cannot be read.
    public func status() async throws -> GateStatus {
        let counts = try await ports.journal.statistics(.gate)
        let now = ports.clock.now()
        var status = GateStatus()
        status.lost = try await journalLoss()
        // While the vault cannot tell, what it said last stands.
        if let lost = try? await lostKeys(of: counts.entriesByKey) { state.withLock { $0.lostKeys = lost } }
        state.withLock { state in
            let judge = state.rules.judge
            status.configurationVersion = judge.configuration?.version
            status.configurationDate = judge.configuration?.issuedAt ?? judge.installedAt
            status.events = judge.configuration?.events.map(\.id) ?? []
            status.configurationFailure = state.lostSecret ?? state.unreadable?.failure
            status.clock = state.witness.confidence(at: now)
            status.unrecorded = state.backlog.items.count
            status.unrecordedFailure = state.backlog.items.isEmpty ? nil : state.recordFailure
            status.neverRecorded = state.backlog.dropped
            status.lostRecords = state.lostKeys.records
            status.damagedKeys = state.lostKeys.damaged
            status.isNewestKeyDamaged = state.lostKeys.isNewestDamaged
            status.journalLostAt = state.journalLostAt
            status.admittedUnrecorded = state.admittedUnrecorded
        }
        status.queued = counts.queued
        status.delivered = counts.delivered
        status.setAside = counts.deadLettered
        status.oldestQueued = counts.oldestQueued
        status.lastSequence = counts.lastSequence
        status.diskBytes = counts.diskBytes
        status.wait = counts.retry.remaining(at: now)
        status.isWaitOrdered = counts.retry.isOrdered
        if counts.queued > 0, let due = counts.retry.entriesDue {
            status.deferral = max(.zero, min(due - now.wall, CourierPolicy().longestEntryWait))
        }
        return status
    }
}
