import HoldfastDomain

extension TicketGate {
    /// The records in the journal after a sequence, oldest first, whatever has become of them.
    ///
    /// Ask again with the last one's sequence until there are none; memory does not grow with the journal.
    ///
    /// - Throws: `QueueStoreError` or `KeyVaultError` when they cannot be read now.
    public func records(after sequence: Int64 = 0, limit: Int = 512) async throws -> [StoredRecord] {
        try await ledger.records(after: sequence, limit: limit)
    }

    /// Takes an admission back, as a supervisor may: one more record, which leaves the ticket's use as it would be
    /// without it.
    ///
    /// Another gate that has the ticket's code in view repeats its first decision until the code has been out of view for
    /// `GatePolicy.presence`; then it decides anew.
    ///
    /// - Returns: The annulment's own record.
    /// - Throws: `GateFailure` `.noSuchAdmission`, `.alreadyAnnulled` or `.historyUnreadable`; and `QueueStoreError`,
    ///   `KeyVaultError` or `CryptoError` when it could not be recorded.
    @discardableResult
    public func annul(_ scanID: EntryID) async throws -> GateRecord {
        try await recordBacklog()
        let now = ports.clock.now()
        let (rules, confidence) = state.withLock { ($0.rules, $0.witness.confidence(at: now)) }
        let record = try await ledger.annul(
            scanID,
            at: place,
            now: now,
            clock: confidence,
            configurationVersion: rules.judge.configuration?.version
        )
        state.withLock { state in
            state.presence.forgetAll()
            state.witness.noteRecord(at: now, confidence: confidence)
        }
        return record
    }

    /// Makes a new key to seal records with from now on. Older records keep theirs, which are removed by `keepHouse()`
    /// once no record needs them.
    ///
    /// - Throws: `KeyVaultError` or `QueueStoreError`; then the key in use stays.
    @discardableResult
    public func rotateKey() async throws -> KeyID {
        try await ring.rotate(from: try await ports.journal.statistics(.gate).unusedKey)
    }

    /// Seals every record that is under an older key anew, so that `keepHouse()` can remove that key. Takes long where
    /// there are many records, and may be cancelled, killed and begun again.
    ///
    /// - Returns: How many records do not open and stay as they are.
    /// - Throws: `KeyVaultError`, `CryptoError` or `QueueStoreError`; what was done by then stays done.
    @discardableResult
    public func resealRecords() async throws -> Int {
        let sealer = Sealer(stream: .gate, ring: ring, cipher: ports.cipher)
        var resealer = Resealer(stream: .gate, journal: ports.journal, ring: ring, sealer: sealer)
        while true {
            try Task.checkCancellation()
            if case .done(let unopened) = try await resealer.step(limit: 256) { return unopened }
        }
    }

    /// Removes what is past its retention, and keys that nothing needs. `sync` does it at its end; a gate that is never
    /// synchronised may call it once a day.
    ///
    /// The use of a ticket is remembered as long as the ticket can be valid, and a record that was not handed over is
    /// never removed. Under a suspect clock nothing is removed at all: it may only seem to be past its time.
    ///
    /// - Throws: `QueueStoreError` or `KeyVaultError`; what was not removed is removed the next time.
    @discardableResult
    public func keepHouse() async throws -> TrimReport {
        let now = ports.clock.now()
        guard state.withLock({ $0.witness.confidence(at: now) }) != .suspect else { return TrimReport() }
        let retention = Retention(deliveredFor: policy.keepDeliveredFor, deadLetteredFor: policy.keepRejectedFor)
        let report = try await ports.journal.trim(.gate, to: retention, now: now.wall)
        try await shelf.clear(now: now)
        try await followVault()
        _ = try await ring.retire(in: ports.journal)
        return report
    }
}
