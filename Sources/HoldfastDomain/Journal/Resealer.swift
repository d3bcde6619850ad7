/// Moves a stream's entries from older keys to the current one, a bounded number a step, so that old keys can be
/// retired before the entries' own time is over.
///
/// Each step is one transaction of the archive, which replaces only what is still sealed with the old key. So it may
/// be stopped or killed at any point, begun again, or done by two processes at once, and nothing is lost. Take steps
/// when nothing else is to be done, and then `KeyRing.retire`.
public struct Resealer: Sendable {
    /// What one step came to.
    public enum Step: Hashable, Sendable {
        /// So many entries were sealed anew; there may be more.
        case resealed(Int)
        /// Every entry is under the current key, but for so many that do not open.
        case done(unopened: Int)
    }

    private let stream: StreamName
    private let journal: any QueueStore & EntryArchive
    private let ring: KeyRing
    private let sealer: Sealer
    /// Entries that did not open: they stay as they are, and must not be in the way of those behind them.
    private var unopened: Set<EntryID> = []

    /// A resealer for `stream`; does nothing yet.
    public init(stream: StreamName, journal: any QueueStore & EntryArchive, ring: KeyRing, sealer: Sealer) {
        self.stream = stream
        self.journal = journal
        self.ring = ring
        self.sealer = sealer
    }

    /// Seals at most `limit` entries anew, those under the oldest key first.
    ///
    /// - Throws: `KeyVaultError` or `CryptoError` when the keys or the library fail now, `QueueStoreError` when the
    ///   journal does. Nothing was changed then.
    public mutating func step(limit: Int) async throws -> Step {
        let counts = try await journal.statistics(stream)
        let current = try await ring.current(from: counts.keyFloor) { counts.unusedKey }
        for old in counts.entriesByKey.keys.sorted() where old < current.id {
            let reach = max(1, limit).addingReportingOverflow(unopened.count).partialValue
            let entries = try await journal.entries(stream, sealedWith: old, limit: reach)
            var fresh: [Resealed] = []
            var isNew = false
            for entry in entries where !unopened.contains(entry.draft.id) {
                isNew = true
                if let resealed = try await reseal(entry, with: current) { fresh.append(resealed) }
            }
            if isNew { return .resealed(fresh.isEmpty ? 0 : try await journal.reseal(fresh)) }
        }
        return .done(unopened: unopened.count)
    }

    private mutating func reseal(_ entry: Entry, with key: SealingKey) async throws -> Resealed? {
        do {
            return try await sealer.reseal(entry, with: key)
        } catch let error as CryptoError where error.code == .keyAbsent {
            // Another process may have been here first.
            if try await sealer.resealed(entry, in: journal) == nil { unopened.insert(entry.draft.id) }
            return nil
        } catch let error as CryptoError where error.code == .notAuthentic {
            unopened.insert(entry.draft.id)
            return nil
        } catch let error as KeyVaultError where error.code == .damaged {
            unopened.insert(entry.draft.id)
            return nil
        }
    }
}
