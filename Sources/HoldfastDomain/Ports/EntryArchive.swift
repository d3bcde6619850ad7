/// Looks through a journal beyond delivery: export, re-sealing, erasing.
public protocol EntryArchive: Sendable {
    /// Entries of a stream in any state, in order of sequence, from after `sequence`, at most `limit`.
    func entries(_ stream: StreamName, after sequence: Int64, limit: Int) async throws -> [Entry]

    /// Entries of a stream sealed with `key`, in order of sequence, at most `limit`: what re-sealing has to do.
    func entries(_ stream: StreamName, sealedWith key: KeyID, limit: Int) async throws -> [Entry]

    /// Replaces the sealed bytes (and note, if it has one) of entries that are still sealed with their old key.
    ///
    /// - Returns: How many were replaced.
    func reseal(_ entries: [Resealed]) async throws -> Int

    /// Removes every entry of a stream, leased or not, and counts the queued ones as lost for `reason`.
    ///
    /// - Returns: How many were removed.
    func erase(_ stream: StreamName, reason: LossReason) async throws -> Int
}

/// New sealed bytes for one entry.
public struct Resealed: Hashable, Sendable {
    /// Which entry.
    public var id: EntryID
    /// The key it was sealed with.
    public var oldKey: KeyID
    /// The key it is sealed with now.
    public var newKey: KeyID
    /// The payload, sealed anew.
    public var sealed: [UInt8]
    /// The dead letter's note, sealed anew, if it has one.
    public var note: [UInt8]?

    /// A replacement of these parts.
    public init(id: EntryID, oldKey: KeyID, newKey: KeyID, sealed: [UInt8], note: [UInt8]? = nil) {
        self.id = id
        self.oldKey = oldKey
        self.newKey = newKey
        self.sealed = sealed
        self.note = note
    }
}
