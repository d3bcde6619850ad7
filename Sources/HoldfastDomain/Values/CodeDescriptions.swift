// What stands in for an enumeration prints as its stable name, such as `timed_out`, wherever it is printed: in an error,
// a report or a status.

extension QueueStoreError.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension KeyVaultError.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension CryptoError.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension TransportError.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension JSONError.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension ConfigurationError.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension GateFailure.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension TelemetryError.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension DiagnosticEvent.Code: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension DeliveryObstacle: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension LossReason: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension StreamName: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension DenialCode: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

extension MalformedReason: CustomStringConvertible {
    /// The stable name, and the member that it is about.
    public var description: String { memberName.map { "ticket: \(rawValue) (\($0))" } ?? "ticket: \(rawValue)" }
}
