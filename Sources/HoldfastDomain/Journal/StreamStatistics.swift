/// Counts of a stream.
public struct StreamStatistics: Hashable, Sendable {
    /// Entries waiting to be delivered, leased ones included.
    public var queued = 0
    /// Delivered entries that are still kept.
    public var delivered = 0
    /// Dead letters that are still kept.
    public var deadLettered = 0
    /// Sealed bytes of queued entries.
    public var liveBytes: Int64 = 0
    /// What the store takes on disk in all, every stream and side file included; 0 in memory.
    public var diskBytes: Int64 = 0
    /// When the oldest queued entry happened.
    public var oldestQueued: Timestamp?
    /// When the newest entry happened, in whatever state: what the last record said the time was.
    public var newestRecorded: Timestamp?
    /// The highest sequence ever given out; 0 if none.
    public var lastSequence: Int64 = 0
    /// How many entries each sealing key still opens.
    public var entriesByKey: [KeyID: Int] = [:]
    /// The lowest key that may still seal; see `EntryArchive.retireKeys`.
    public var keyFloor = KeyID(1)
    /// What was ever lost, by reason.
    public var losses: [LossReason: Int] = [:]
    /// The retry state that `settle` stored last.
    public var retry = RetryState()

    /// Counts of an empty stream.
    public init() {}

    /// The first number that a new key may have: none that still seals or opens has it or a higher one.
    public var unusedKey: KeyID {
        guard let newest = entriesByKey.keys.max() else { return keyFloor }
        return max(keyFloor, KeyID(newest.rawValue == .max ? .max : newest.rawValue + 1))
    }
}
