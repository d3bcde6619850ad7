// Another process may seal an entry anew and retire its old key while this one holds a copy of it. So a key that is
// gone says nothing until the entry has been read again; what is under it then will never open.
extension Sealer {
    /// The entry as it is now, if it was sealed anew since it was read; nil if it was not, or is not there any more.
    ///
    /// - Throws: `QueueStoreError`.
    func resealed(_ entry: Entry, in archive: any EntryArchive) async throws -> Entry? {
        let now = try await archive.entries(stream, after: entry.sequence &- 1, limit: 1).first
        guard let now, now.draft.id == entry.draft.id, now.draft.keyID != entry.draft.keyID else { return nil }
        return now
    }

    /// The payload of an entry, read again where it was sealed anew meanwhile.
    ///
    /// - Throws: As `open`, and `QueueStoreError`.
    func open(_ entry: Entry, in archive: any EntryArchive) async throws -> [UInt8] {
        do {
            return try await open(entry)
        } catch let error as CryptoError where error.code == .keyAbsent {
            guard let now = try await resealed(entry, in: archive) else { throw error }
            return try await open(now, in: archive)
        }
    }

    /// A note on an entry, sealed under the key that the entry has now.
    ///
    /// - Throws: As `open`, and `QueueStoreError`.
    func sealNote(_ note: [UInt8], of entry: Entry, in archive: any EntryArchive) async throws -> [UInt8] {
        try await sealNote(note, of: try await resealed(entry, in: archive) ?? entry)
    }
}
