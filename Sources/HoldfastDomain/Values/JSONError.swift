/// Why a text is not the JSON that is accepted here, or a value cannot be written as JSON. It says where, never what.
public struct JSONError: Error, Hashable, Sendable {
    /// The kind of fault; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// The text ends inside a value, or holds none.
        public static let unexpectedEnd = Code("unexpected_end")
        /// A byte that the grammar does not allow here; a byte order mark and bytes after the value are such too.
        public static let unexpectedByte = Code("unexpected_byte")
        /// A string with bytes that are not UTF-8 (RFC 3629, section 4).
        public static let invalidUTF8 = Code("invalid_utf8")
        /// A string with a control character that is not escaped.
        public static let controlCharacter = Code("control_character")
        /// A backslash with something after it that is no escape.
        public static let invalidEscape = Code("invalid_escape")
        /// Half a surrogate pair, which is no character.
        public static let loneSurrogate = Code("lone_surrogate")
        /// A name for the second time in one object, however it is spelt.
        public static let duplicateMember = Code("duplicate_member")
        /// Containers within containers beyond the limit.
        public static let tooDeep = Code("too_deep")
        /// A number that none of the cases of `JSONValue` holds, or that JSON cannot say (NaN, infinity).
        public static let numberRange = Code("number_range")
    }

    /// The kind of fault.
    public var code: Code
    /// Where reading stopped, in bytes from the start of the text; nil for a fault in writing.
    public var offset: Int?

    /// A fault of this kind.
    public init(_ code: Code, offset: Int? = nil) {
        self.code = code
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    /// The kind and the place.
    public var description: String {
        guard let offset else { return "JSON: \(code.rawValue)" }
        return "JSON: \(code.rawValue) at byte \(offset)"
    }
}

/// How much nesting is accepted in reading and in writing; both recurse, so there is always an end.
public struct JSONLimits: Hashable, Sendable {
    /// How many containers may stand within one another: 0 allows scalars only, 1 an array of scalars; at most 256.
    public let maxDepth: Int

    /// A limit of `maxDepth`, brought into 0…256.
    public init(maxDepth: Int = 64) { self.maxDepth = min(max(maxDepth, 0), 256) }
}
