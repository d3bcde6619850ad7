/// Something the package noticed that a host may want to log or count. It never holds anything private.
public struct DiagnosticEvent: Hashable, Sendable {
    /// What happened; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// A damaged database was moved aside and its readable rows were saved.
        public static let storeSalvaged = Code("store_salvaged")
        /// A store could not be read or written.
        public static let storeFailed = Code("store_failed")
        /// A store waits for another process that opens or mends it.
        public static let storeAwaited = Code("store_awaited")
        /// The key vault could not be used.
        public static let vaultUnavailable = Code("vault_unavailable")
        /// The vault has lost the secret behind the journal's subjects: nobody can be admitted.
        public static let secretLost = Code("secret_lost")
        /// A journal was found new beside keys that were in use: what was in it is lost.
        public static let journalLost = Code("journal_lost")
        /// Entries were found whose key is gone from the vault, or damaged there.
        public static let keysLost = Code("keys_lost")
        /// The stored configuration could not be opened, and is not in force.
        public static let configurationUnreadable = Code("configuration_unreadable")
        /// An entry could not be opened and was set aside.
        public static let entryUndecryptable = Code("entry_undecryptable")
        /// An attempt at the gate could not be recorded.
        public static let recordFailed = Code("record_failed")
        /// A delivery failed.
        public static let deliveryFailed = Code("delivery_failed")
        /// Entries were dropped by a limit, and counted.
        public static let entriesDropped = Code("entries_dropped")
    }

    /// What happened.
    public var code: Code
    /// How many entries it concerns.
    public var count: Int
    /// The platform's own number, if there is one.
    public var platformCode: Int?

    /// An event of this kind.
    public init(_ code: Code, count: Int = 1, platformCode: Int? = nil) {
        self.code = code
        self.count = count
        self.platformCode = platformCode
    }
}

/// Receives what the package noticed, for a log, a counter or a test.
///
/// It keeps logging systems out of the package. Events hold nothing private, so a sink may write all of them anywhere.
///
/// Use `StandardErrorDiagnostics` on Linux, `LoggerDiagnosticSink` on Apple platforms, `CollectingDiagnostics` in
/// tests. Write one that returns at once: it is called from any thread, also while a scan waits. In a test:
///
/// ```swift
/// struct PrintedDiagnostics: DiagnosticSink {
///     func record(_ event: DiagnosticEvent) { print(event.code.rawValue, event.count) }
/// }
/// ```
///
/// A sink promises, and `Conformance.diagnosticSink` checks:
/// - `takes_every_event_from_any_thread`: none is lost among many at once.
/// - `takes_kinds_it_does_not_know`: kinds are added without breaking a sink.
public protocol DiagnosticSink: Sendable {
    /// Takes one event. Must return at once; called from any thread.
    func record(_ event: DiagnosticEvent)
}
