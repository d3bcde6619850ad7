/// Why a store could not do what was asked.
public struct QueueStoreError: Error, Hashable, Sendable {
    /// The kind of failure; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Another process kept the store locked for too long; try again.
        public static let busy = Code("busy")
        /// No space is left on the disk.
        public static let full = Code("full")
        /// The store may be read but not written.
        public static let readOnly = Code("read_only")
        /// The disk failed to read or write.
        public static let inputOutput = Code("input_output")
        /// The file cannot be opened or made.
        public static let cannotOpen = Code("cannot_open")
        /// The directory that the file belongs in does not exist.
        public static let noDirectory = Code("no_directory")
        /// What is stored is damaged.
        public static let corrupt = Code("corrupt")
        /// The file was written by a newer version of this package.
        public static let newerVersion = Code("newer_version")
        /// The file is a sound database, but not one of this package's; it was left alone.
        public static let notAJournal = Code("not_a_journal")
        /// This path is open in this process already.
        public static let alreadyOpen = Code("already_open")
        /// The store was closed or suspended.
        public static let closed = Code("closed")
        /// Any other failure of the store's library.
        public static let libraryFailure = Code("library_failure")
    }

    /// The kind of failure.
    public var code: Code
    /// The library's own (extended) number, if there is one.
    public var platformCode: Int?

    /// An error of this kind.
    public init(_ code: Code, platformCode: Int? = nil) {
        self.code = code
        self.platformCode = platformCode
    }
}
