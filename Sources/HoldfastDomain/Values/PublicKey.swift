/// An Ed25519 public key (RFC 8032, section 5.1.5) that is safe to verify with.
public struct PublicKey: Hashable, Sendable {
    /// How many bytes a key has.
    public static let byteCount = 32

    /// The encoded point.
    public let bytes: [UInt8]

    /// The key with these 32 bytes; nil for another count, a non-canonical encoding or a point of low order.
    ///
    /// Under a low-order key common libraries accept a forged signature for any message, so such a key can never be
    /// built (the 14 encodings are listed in "It's 255:19AM", and follow from RFC 8032, section 5.1.3).
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, !EdwardsEncoding.isWeak(bytes) else { return nil }
        self.bytes = bytes
    }

    /// Feeds the bytes at once: an array alone feeds them one by one.
    public func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// What can be said of an encoded point by its bytes alone.
enum EdwardsEncoding {
    /// The y coordinates of the eight points of low order, little-endian, that are not 0, 1 or p − 1.
    private static let lowOrderY: [[UInt8]] = [
        Hex.decode("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        Hex.decode("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    ].compactMap { $0 }

    /// Whether y is not reduced (y ≥ 2^255 − 19), or the point has low order. The sign bit does not matter.
    static func isWeak(_ bytes: [UInt8]) -> Bool {
        guard let top = bytes.last, bytes.count == 32 else { return true }
        var y = bytes
        y[31] = top & 0x7f
        let middle = y[1...30]
        if y[31] == 0x7f && middle.allSatisfy({ $0 == 0xff }) && y[0] >= 0xec { return true }  // p − 1, and all above
        if y[31] == 0 && middle.allSatisfy({ $0 == 0 }) && y[0] <= 1 { return true }  // 0 and 1
        return lowOrderY.contains(y)
    }
}
