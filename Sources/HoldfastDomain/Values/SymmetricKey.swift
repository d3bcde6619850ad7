/// A 256-bit secret key. Its bytes never appear in its description.
public struct SymmetricKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// How many bytes a key has.
    public static let byteCount = 32

    /// The secret bytes.
    public let bytes: [UInt8]

    /// The key with these 32 bytes, or nil for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A new random key.
    public init(random source: any RandomSource) { bytes = source.bytes(Self.byteCount) }

    /// The type's name only, never the secret.
    public var description: String { "SymmetricKey" }
    /// Shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
