/// Keeps a few small values durably beside the journal: consent, the last server time seen. Nothing private.
public protocol StateStore: Sendable {
    /// The value called `name`; nil if there is none.
    func value(named name: String) async throws -> [UInt8]?
    /// Stores a value in place of any earlier one, surviving the death of the process; nil removes it.
    func setValue(_ value: [UInt8]?, named name: String) async throws
}

/// A whole journal: the queue, its archive and its small values, usually one type on one file.
public typealias Journal = QueueStore & EntryArchive & StateStore
