import HoldfastDomain

// What a gate notices of a vault or a journal that is not what it was. None of it is ever silent.
extension TicketGate {
    /// Tells of records whose keys are certainly gone, or damaged. They cannot tell whether a ticket was used.
    func lookForLostKeys(of entries: [KeyID: Int]) async throws {
        let lost = try await lostKeys(of: entries)
        let count = lost.damaged.values.reduce(lost.records, +)
        if count > 0 { ports.diagnostics.record(DiagnosticEvent(.keysLost, count: count)) }
        state.withLock { $0.lostKeys = lost }
    }

    /// Looks each key up that entries still need, and the newest: it may have sealed nothing yet, and is to seal the next.
    func lostKeys(of entries: [KeyID: Int]) async throws -> LostKeys {
        var lost = LostKeys()
        let newest = try await ring.newestID()
        for key in Set(entries.keys).union(newest.map { [$0] } ?? []) {
            do {
                if try await ring.key(key) == nil { lost.records += entries[key] ?? 0 }
            } catch let error as KeyVaultError where error.code == .damaged {
                lost.damaged[key] = entries[key]
                if key == newest { lost.isNewestDamaged = true }
            }
        }
        return lost
    }

    /// What `read` gives; nil where what it reads in the vault is damaged for good.
    func unlessDamaged<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        do { return try await read() } catch let error as KeyVaultError where error.code == .damaged { return nil }
    }

    /// Follows other processes' keys, and puts back what the vault has lost of those that are in use here.
    func followVault() async throws {
        try await ring.refresh()
        try await shelf.refresh()
        try await hasher.refresh()
    }

    /// Notes a journal that is new although the vault has keys for it.
    ///
    /// Only a new journal is marked, before the first key is made: one that holds anything proves itself.
    func lookForLostJournal(_ counts: StreamStatistics) async throws {
        // In this order: another process that opens the new journal now marks it before it makes a key.
        let hasKeys = try await ring.newestID() != nil
        if let mark = try await ports.journal.value(named: Self.journalMark) {
            let lostAt = Timestamp(rfc3339: String(decoding: mark, as: UTF8.self))
            return state.withLock { $0.journalLostAt = lostAt }
        }
        let isUsed = counts.lastSequence > 0 || counts.keyFloor > KeyID(1)
        let isInstalled = try await shelf.generation() > 0
        guard !isUsed, !isInstalled else { return }
        let lostAt = hasKeys ? ports.clock.now().wall : nil
        try await ports.journal.setValue(Array((lostAt?.rfc3339 ?? "new").utf8), named: Self.journalMark)
        state.withLock { $0.journalLostAt = lostAt }
        if hasKeys { ports.diagnostics.record(DiagnosticEvent(.journalLost)) }
    }

    /// Notes a journal that has replaced the one that this gate began with; the journal itself has reported it.
    func noteReplacedJournal() async throws {
        guard try await ports.journal.value(named: Self.journalMark) == nil else { return }
        let now = ports.clock.now().wall
        try await ports.journal.setValue(Array(now.rfc3339.utf8), named: Self.journalMark)
        state.withLock { $0.journalLostAt = now }
    }

    /// What damage has taken from the journal, with the time at which this was first seen.
    func journalLoss() async throws -> JournalLoss? {
        let note = try await ports.journal.value(named: JournalDamage.noteName(of: .gate))
        guard let damage = note.flatMap(JournalDamage.init) else { return nil }
        let known = damage.atLeast > 0 ? damage.atLeast : nil
        let mark = try await ports.journal.value(named: Self.lossMark)
        let parts = mark.map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        if parts.count == 2, Int(parts[0]) == damage.atLeast, let noticed = Timestamp(rfc3339: String(parts[1])) {
            return JournalLoss(atLeast: known, noticed: noticed)
        }
        let now = ports.clock.now().wall
        // A journal that cannot be written can be read all the same; whoever comes next notes it.
        try? await ports.journal.setValue(Array("\(damage.atLeast) \(now.rfc3339)".utf8), named: Self.lossMark)
        return JournalLoss(atLeast: known, noticed: now)
    }

    private static let journalMark = "gate.journal"
    private static let lossMark = "gate.loss"

    /// Whether nobody can be admitted because the vault has lost the secret behind the tickets' subjects.
    public var hasLostSecret: Bool { state.withLock { $0.lostSecret != nil } }

    /// From now on nobody is admitted: under another secret every ticket would look unused.
    func noteLostSecret(_ error: KeyVaultError) {
        let isNew = state.withLock { state -> Bool in
            defer { state.lostSecret = GateFailure(error) }
            return state.lostSecret == nil
        }
        if isNew { ports.diagnostics.record(DiagnosticEvent(.secretLost)) }
    }
}

/// Records that cannot be opened for want of their keys.
struct LostKeys {
    /// How many have a key that is certainly gone.
    var records = 0
    /// How many each damaged key has.
    var damaged: [KeyID: Int] = [:]
    /// Whether the newest key is damaged, whatever it has sealed.
    var isNewestDamaged = false
}
