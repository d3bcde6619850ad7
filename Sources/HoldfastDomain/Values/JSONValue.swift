/// A JSON value (RFC 8259) as the domain holds it: members keep their order, integers keep their digits.
///
/// It is what configurations, claims and servers' answers are read into, and what telemetry payloads are made of.
public indirect enum JSONValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number written without fraction or exponent, from Int64.min to Int64.max.
    case integer(Int64)
    /// A whole number above Int64.max, up to UInt64.max.
    case unsigned(UInt64)
    /// Any other finite number.
    case double(Double)
    /// A string; always valid Unicode, never a lone surrogate.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

/// The members of a JSON object, in the order in which they were written; names are compared by their UTF-8 bytes.
public struct JSONObject: Hashable, Sendable {
    /// One `name: value` of an object.
    public struct Member: Hashable, Sendable {
        /// The member's name, unescaped.
        public var name: String
        /// The member's value.
        public var value: JSONValue

        /// A member of this name and value.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members in written order.
    public var members: [Member]

    /// An object of these members.
    public init(_ members: [Member] = []) { self.members = members }

    /// The value of the first member called `name`; setting nil removes it, setting a new name appends.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }
        set {
            let index = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): break
            }
        }
    }
}
