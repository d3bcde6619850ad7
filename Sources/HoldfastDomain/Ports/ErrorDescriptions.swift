// How the ports' errors print: the port, the stable name of the kind and the platform's number, such as
// `store: full (13)`. They hold nothing private, so a host may log them as they are.

extension QueueStoreError: CustomStringConvertible {
    /// The kind and the library's number.
    public var description: String { text("store", code.rawValue, platformCode) }
}

extension KeyVaultError: CustomStringConvertible {
    /// The kind and the platform's number.
    public var description: String { text("vault", code.rawValue, platformCode) }
}

extension CryptoError: CustomStringConvertible {
    /// The kind and the library's number.
    public var description: String { text("crypto", code.rawValue, platformCode) }
}

extension TransportError: CustomStringConvertible {
    /// The kind and the library's number.
    public var description: String { text("transport", code.rawValue, platformCode) }
}

extension CompressionError: CustomStringConvertible {
    /// The library's number.
    public var description: String { text("compression", "failed", platformCode) }
}

private func text(_ port: String, _ kind: String, _ number: Int?) -> String {
    number.map { "\(port): \(kind) (\($0))" } ?? "\(port): \(kind)"
}
