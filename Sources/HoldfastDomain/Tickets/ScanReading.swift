/// What a scanner read: the bytes of one code.
public struct ScanReading: Hashable, Sendable {
    /// The bytes, as the scanner gave them.
    public var bytes: [UInt8]

    /// A reading of these bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// A reading of this text.
    public init(_ text: String) { bytes = Array(text.utf8) }
}
