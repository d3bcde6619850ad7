/// What an append must survive before it returns.
public enum Durability: Hashable, Sendable {
    /// The death of the process, at any instruction (SQLite's `synchronous=NORMAL` in WAL mode).
    case processDeath
    /// The loss of power as well (`synchronous=FULL`).
    case powerLoss
}

/// What became of one draft.
public enum AppendOutcome: Hashable, Sendable {
    /// It is stored, with this number in its stream.
    case appended(sequence: Int64)
    /// An entry of that id is there already; nothing was written.
    case duplicate
    /// Another entry has that place in the subject's history; nothing was written.
    indirect case conflict(existing: Entry)
    /// The key it is sealed with was retired, see `EntryArchive.retireKeys`; nothing was written. To be sealed again
    /// with a key from this number on.
    case keyRetired(floor: KeyID)
}
