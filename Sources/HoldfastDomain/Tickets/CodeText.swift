/// The text of a code as a key of dictionaries: hashed once, since a scan looks it up several times.
public struct CodeText: Hashable, Sendable {
    /// The text.
    public let bytes: [UInt8]
    private let digest: Int

    /// The key of this text.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        digest = hasher.finalize()
    }

    /// Whether both are the same bytes.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.digest == rhs.digest && lhs.bytes == rhs.bytes }

    /// Feeds the hash that was taken at the start.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
