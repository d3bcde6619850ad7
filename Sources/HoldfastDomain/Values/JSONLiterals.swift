extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; a name given twice keeps its place and has its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object; a name given twice keeps its place and has its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }

    init(_ elements: [(String, JSONValue)]) {
        self.init()
        members.reserveCapacity(elements.count)
        for (name, value) in elements { self[name] = value }
    }
}

extension JSONValue {
    /// The string; nil for anything else.
    public var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The whole number, if it fits; nil for anything else, a double included.
    public var integerValue: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The number as the nearest double; nil for anything else.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): return Double(value)
        case .unsigned(let value): return Double(value)
        case .double(let value): return value
        default: return nil
        }
    }

    /// The truth value; nil for anything else.
    public var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements of the array; nil for anything else.
    public var arrayValue: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The object; nil for anything else.
    public var objectValue: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// Whether it is `null`.
    public var isNull: Bool { self == .null }

    /// The member called `name`; nil if there is none or this is no object.
    public subscript(name: String) -> JSONValue? { objectValue?[name] }
}
