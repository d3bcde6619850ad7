/// Why a key configuration was not installed. The one in force stays. It says where, never what.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// The kind of fault; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Not strict JSON, or not the compact form of a signed configuration.
        public static let malformed = Code("malformed")
        /// Larger than any configuration may be.
        public static let tooLarge = Code("too_large")
        /// A member that must be there is not.
        public static let missingMember = Code("missing_member")
        /// A member of the wrong kind, or an empty name.
        public static let invalidMember = Code("invalid_member")
        /// No events, or an event without keys.
        public static let empty = Code("empty")
        /// Not 32 canonical base64url bytes.
        public static let invalidKey = Code("invalid_key")
        /// A key under which anybody can forge: of low order, or not canonical.
        public static let weakKey = Code("weak_key")
        /// Signing is required, and it is not signed.
        public static let unsigned = Code("unsigned")
        /// It is signed, but not by the pinned key.
        public static let badSignature = Code("bad_signature")
        /// Older than the one in force.
        public static let olderVersion = Code("older_version")
        /// Of the same version as the one in force, with other content.
        public static let sameVersionDifferentContent = Code("same_version_different_content")
        /// A ticket format that this version does not know.
        public static let unknownFormat = Code("unknown_format")
        /// A key status that this version does not know.
        public static let unknownStatus = Code("unknown_status")
        /// Two events of one id.
        public static let duplicateEvent = Code("duplicate_event")
        /// Two keys of one id in one event.
        public static let duplicateKey = Code("duplicate_key")
        /// A time that is none, or a window that ends before it begins.
        public static let invalidTime = Code("invalid_time")
        /// A time zone that this device does not know.
        public static let unknownTimeZone = Code("unknown_time_zone")
        /// A tolerance that is negative or no whole number of seconds.
        public static let invalidTolerance = Code("invalid_tolerance")
        /// Fewer than one entry, or no whole number.
        public static let invalidEntries = Code("invalid_entries")
        /// A version below 1, or no whole number.
        public static let invalidVersion = Code("invalid_version")
    }

    /// The kind of fault.
    public var code: Code
    /// Where it is, such as `events[0].keys[1].publicKey`; empty for the whole. Names of members and positions only.
    public var path: String

    /// A fault of this kind.
    public init(_ code: Code, at path: String = "") {
        self.code = code
        self.path = path
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The kind and the place.
    public var description: String {
        path.isEmpty ? "key configuration: \(code.rawValue)" : "key configuration: \(code.rawValue) at \(path)"
    }
}
