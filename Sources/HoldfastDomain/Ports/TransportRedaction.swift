// Printing a request or an answer shows nothing of what it carries: a token among the fields, events in the body, an
// address in the URL. Its members, and `dump`, show all of it.

extension HeaderField: CustomStringConvertible {
    /// The field's name only.
    public var description: String { "HeaderField(\(name))" }
}

extension TransportRequest: CustomStringConvertible {
    /// The method and how long the body is.
    public var description: String { "TransportRequest(\(method), \(body.count) bytes)" }
}

extension TransportResponse: CustomStringConvertible {
    /// The status and how long the body is.
    public var description: String { "TransportResponse(\(status), \(body.count) bytes)" }
}
