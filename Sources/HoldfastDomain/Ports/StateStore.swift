/// Keeps a few small values durably beside the journal: consent, the last server time seen. Nothing private.
///
/// Use `SQLiteQueueStore`, or `InMemoryQueueStore` in tests. Write one over anything that replaces a value
/// atomically; it is called from any task. A store of a whole journal that can lose entries to damage and goes on leaves
/// a `JournalDamage` note here. In a test:
///
/// ```swift
/// actor DictionaryState: StateStore {
///     private var values: [String: [UInt8]] = [:]
///
///     func value(named name: String) -> [UInt8]? { values[name] }
///     func setValue(_ value: [UInt8]?, named name: String) { values[name] = value }
/// }
/// ```
///
/// A store promises, and `Conformance.stateStore` checks:
/// - `nothing_is_nil`: of a name never used, and of one that was removed.
/// - `gives_back_what_was_stored`: any bytes, none included.
/// - `the_last_value_stands`: whole.
/// - `nil_removes`: that value and no other.
/// - `names_are_apart`: by every byte, of any length.
public protocol StateStore: Sendable {
    /// The value called `name`; nil if there is none.
    ///
    /// - Throws: `QueueStoreError` when it cannot be read now.
    func value(named name: String) async throws -> [UInt8]?
    /// Stores a value in place of any earlier one, surviving the death of the process; nil removes it.
    ///
    /// - Throws: `QueueStoreError`; the earlier value stands.
    func setValue(_ value: [UInt8]?, named name: String) async throws
}

/// A whole journal: the queue, its archive and its small values, usually one type on one file.
public typealias Journal = QueueStore & EntryArchive & StateStore
