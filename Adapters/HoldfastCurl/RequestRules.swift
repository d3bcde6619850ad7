import HoldfastDomain

/// What a request must be like to be sent as it is meant.
enum RequestRules {
    /// The header fields as libcurl takes them.
    ///
    /// - Throws: `TransportError` `.invalidRequest`.
    static func fields(of request: TransportRequest) throws -> [String] {
        guard isToken(request.method), isURL(request.url) else { throw TransportError(.invalidRequest) }
        // Nothing of libcurl's own: no pause to ask whether a body is welcome, and no guess of what it is.
        var fields = ["Expect:"]
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            fields.append("Content-Type:")
        }
        for field in request.headers {
            guard isToken(field.name), isValue(field.value), !isOurs(field.name) else {
                throw TransportError(.invalidRequest)
            }
            // A colon and nothing after it would take the field out; a semicolon sends it empty.
            fields.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return fields
    }

    /// A token of RFC 9110, section 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    return true
                default: return marks.contains(byte)
                }
            }
    }

    /// No control characters, above all no line breaks: they would begin another field (RFC 9110, section 5.5).
    private static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    /// An absolute URL over HTTP that names a host, without anything that cannot stand in a URL; libcurl judges the
    /// rest. It would guess a host from `http:///host`.
    private static func isURL(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.prefix($0.count).lowercased() == $0 }) else {
            return false
        }
        guard let first = text.dropFirst(scheme.count).utf8.first, !"/?#:@".utf8.contains(first) else { return false }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }

    /// Fields that say how the body is framed, which only who sends it can say.
    private static func isOurs(_ name: String) -> Bool {
        ["content-length", "transfer-encoding", "connection", "expect"].contains(name.lowercased())
    }
}
