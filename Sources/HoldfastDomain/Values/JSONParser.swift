/// Reads JSON (RFC 8259) strictly, in one pass over the bytes; any bytes give a value or a typed error, none traps.
///
/// Refused, because two readers could understand them differently: a name twice in one object (also when spelt with
/// escapes), bytes that are not UTF-8, half a surrogate pair, a byte order mark, anything after the value, and a
/// whole number that 64 bits do not hold.
struct JSONParser {
    var cursor: JSONCursor
    private let limits: JSONLimits

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        cursor = JSONCursor(bytes)
        self.limits = limits
    }

    /// The one value that the whole text is.
    mutating func document() throws -> JSONValue {
        cursor.skipWhitespace()
        let result = try value(depth: 0)
        cursor.skipWhitespace()
        guard cursor.current == nil else { throw cursor.unexpected }
        return result
    }

    /// The value that begins at the cursor, inside `depth` containers.
    mutating func value(depth: Int) throws -> JSONValue {
        switch cursor.current {
        case UInt8(ascii: "\""): return .string(try cursor.string().string)
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "t"):
            try cursor.expect("true" as StaticString)
            return .bool(true)
        case UInt8(ascii: "f"):
            try cursor.expect("false" as StaticString)
            return .bool(false)
        case UInt8(ascii: "n"):
            try cursor.expect("null" as StaticString)
            return .null
        default: return try cursor.number()
        }
    }

    private mutating func object(depth: Int) throws -> JSONObject {
        try enter(depth)
        var object = JSONObject()
        var names = JSONMemberNames()
        if try cursor.closes(with: UInt8(ascii: "}")) { return object }
        repeat {
            let name = try cursor.memberName(among: &names)
            object.members.append(.init(name.string, try value(depth: depth + 1)))
        } while try cursor.continues(until: UInt8(ascii: "}"))
        return object
    }

    private mutating func array(depth: Int) throws -> [JSONValue] {
        try enter(depth)
        var elements: [JSONValue] = []
        if try cursor.closes(with: UInt8(ascii: "]")) { return elements }
        repeat {
            cursor.skipWhitespace()
            elements.append(try value(depth: depth + 1))
        } while try cursor.continues(until: UInt8(ascii: "]"))
        return elements
    }

    private mutating func enter(_ depth: Int) throws {
        guard depth < limits.maxDepth else { throw JSONError(.tooDeep, offset: cursor.index) }
        cursor.advance()
    }
}

extension JSONCursor {
    /// After an opening bracket: steps over the closing one if nothing stands between them.
    mutating func closes(with closing: UInt8) throws -> Bool {
        skipWhitespace()
        guard current == closing else { return false }
        advance()
        return true
    }

    /// After an element: steps over the comma (true) or the closing bracket (false).
    mutating func continues(until closing: UInt8) throws -> Bool {
        skipWhitespace()
        guard let byte = current, byte == closing || byte == UInt8(ascii: ",") else { throw unexpected }
        advance()
        return byte != closing
    }

    /// Steps over `"name" :` and the whitespace around, and notes the name.
    mutating func memberName(among names: inout JSONMemberNames) throws -> JSONText {
        skipWhitespace()
        let start = index
        let name = try string()
        guard names.insert(name) else { throw JSONError(.duplicateMember, offset: start) }
        skipWhitespace()
        try expect(UInt8(ascii: ":"))
        skipWhitespace()
        return name
    }
}

extension JSONValue {
    /// Reads the one JSON value that `bytes` are, strictly (RFC 8259).
    ///
    /// - Throws: `JSONError`, with the kind of fault and its place.
    public static func parse(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws -> JSONValue {
        try bytes.withUnsafeBufferPointer {
            var parser = JSONParser($0, limits: limits)
            return try parser.document()
        }
    }

    /// Reads the one JSON value that `text` is; like reading its UTF-8 bytes.
    public static func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws -> JSONValue {
        try parse(Array(text.utf8), limits: limits)
    }
}
