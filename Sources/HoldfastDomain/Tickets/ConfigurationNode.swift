/// An object of a configuration and where it stands, so that a refusal can say so.
///
/// A member that is absent and one that is `null` are the same. Members that nobody asks for are passed over: a newer
/// issuer may say more than this gate understands.
struct ConfigurationNode {
    let object: JSONObject
    let path: String

    init(_ value: JSONValue, at path: String) throws {
        guard let object = value.objectValue else { throw ConfigurationError(.invalidMember, at: path) }
        self.object = object
        self.path = path
    }

    func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func required(_ name: String) throws -> JSONValue {
        guard let value = value(name) else { throw ConfigurationError(.missingMember, at: path(of: name)) }
        return value
    }

    /// A non-empty string.
    func string(_ name: String) throws -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw ConfigurationError(.invalidMember, at: path(of: name))
        }
        return text
    }

    func bool(_ name: String) throws -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.boolValue else { throw ConfigurationError(.invalidMember, at: path(of: name)) }
        return flag
    }

    /// A whole number of at least `minimum`.
    func integer(_ name: String, from minimum: Int64, else code: ConfigurationError.Code) throws -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.integerValue, number >= minimum else {
            throw ConfigurationError(code, at: path(of: name))
        }
        return number
    }

    /// A moment: RFC 3339, or whole Unix seconds.
    func time(_ name: String) throws -> Timestamp? {
        guard let value = value(name) else { return nil }
        if let seconds = value.integerValue { return Timestamp(milliseconds: 0) + .seconds(seconds) }
        guard let time = value.stringValue.flatMap(Timestamp.init(rfc3339:)) else {
            throw ConfigurationError(.invalidTime, at: path(of: name))
        }
        return time
    }

    func node(_ name: String) throws -> ConfigurationNode? {
        try value(name).map { try ConfigurationNode($0, at: path(of: name)) }
    }

    /// An array whose elements are all read by `read`; empty if it is absent.
    func list<Element>(_ name: String, _ read: (JSONValue, _ path: () -> String) throws -> Element) throws -> [Element]
    {
        guard let value = value(name) else { return [] }
        guard let elements = value.arrayValue else { throw ConfigurationError(.invalidMember, at: path(of: name)) }
        return try elements.enumerated().map { index, element in
            try read(element) { "\(path(of: name))[\(index)]" }
        }
    }

    /// A list of strings.
    func strings(_ name: String) throws -> [String] {
        try list(name) { element, path in
            guard case .string(let text) = element else { throw ConfigurationError(.invalidMember, at: path()) }
            return text
        }
    }
}
