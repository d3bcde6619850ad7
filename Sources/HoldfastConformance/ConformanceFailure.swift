import HoldfastDomain

/// A promise that an adapter broke.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The check's name, as in the port's documentation.
    public var check: String
    /// What was seen instead.
    public var detail: String

    /// A broken promise.
    public init(_ check: String, _ detail: String) {
        self.check = check
        self.detail = detail
    }

    /// The check and what was seen.
    public var description: String { "\(check): \(detail)" }
}
