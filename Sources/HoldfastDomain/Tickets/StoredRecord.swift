/// A record with what has become of it: what an export shows.
public struct StoredRecord: Hashable, Sendable {
    /// Where a record stands.
    public enum State: Hashable, Sendable {
        /// Waiting to be handed over.
        case queued
        /// Taken by the back end.
        case delivered
        /// Refused by the back end, in its own words. The gate's verdict stands beside it, unchanged.
        case rejected(reason: String?)
        /// Set aside for another reason.
        case setAside(LossReason)

        /// The stable name: `queued`, `delivered`, `rejected`, or that of the reason.
        public var name: String {
            switch self {
            case .queued: return "queued"
            case .delivered: return "delivered"
            case .rejected: return "rejected"
            case .setAside(let reason): return reason.rawValue
            }
        }
    }

    /// The permanent id of the scan.
    public var scanID: EntryID
    /// The record's number in this device's journal.
    public var sequence: Int64
    /// When it was recorded, by the wall clock.
    public var recordedAt: Timestamp
    /// What has become of it.
    public var state: State
    /// The record; nil if it can no longer be opened.
    public var record: GateRecord?

    /// A record of these parts.
    public init(scanID: EntryID, sequence: Int64, recordedAt: Timestamp, state: State, record: GateRecord?) {
        self.scanID = scanID
        self.sequence = sequence
        self.recordedAt = recordedAt
        self.state = state
        self.record = record
    }

    /// The record's own JSON with two members more: `state`, and `stateReason` with the back end's words. Of a record
    /// that can no longer be opened only `scanId`, `sequence`, `at` and these are known.
    public var json: [UInt8] {
        var row = JSONRow(capacity: 768)
        if let record {
            row.bytes(record.json.dropLast())
        } else {
            row.text("{\"scanId\":", scanID.description)
            row.number(",\"sequence\":", sequence)
            row.raw(",\"decision\":null,\"reason\":null,\"reasons\":[],\"ticketId\":null")
            row.text(",\"at\":", recordedAt.rfc3339)
        }
        row.text(",\"state\":", state.name)
        var words: String?
        if case .rejected(let reason) = state { words = reason }
        row.text(",\"stateReason\":", words)
        row.raw("}")
        return row.bytes
    }
}

extension AdmissionLedger {
    /// The records after `sequence`, oldest first, at most `limit`. One that cannot be opened does not stop the others.
    ///
    /// - Throws: `QueueStoreError` when the journal cannot be read, `KeyVaultError` when the keys cannot now.
    public func records(after sequence: Int64, limit: Int) async throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        for entry in try await journal.entries(.gate, after: sequence, limit: limit) {
            records.append(
                StoredRecord(
                    scanID: entry.draft.id,
                    sequence: entry.sequence,
                    recordedAt: entry.draft.recordedAt,
                    state: try await state(of: entry),
                    record: try await ifReadable { try await open(entry) }
                )
            )
        }
        return records
    }

    private func state(of entry: Entry) async throws -> StoredRecord.State {
        switch entry.state {
        case .queued: return .queued
        case .delivered: return .delivered
        case .deadLettered(.rejected, _):
            let note = try await ifReadable { try await sealer.openNote(of: entry) } ?? nil
            return .rejected(reason: note.map { String(decoding: $0, as: UTF8.self) })
        case .deadLettered(let reason, _): return .setAside(reason)
        }
    }

    /// What `read` gives; nil where the sealed bytes will never open. A vault that is locked now is another matter.
    private func ifReadable<Value>(_ read: () async throws -> Value) async throws -> Value? {
        do {
            return try await read()
        } catch is CryptoError {
            return nil
        } catch let failure as GateFailure where failure.code == .historyUnreadable {
            return nil
        } catch let error as KeyVaultError where error.code == .damaged {
            return nil
        }
    }
}
