import HoldfastDomain

/// Random bytes from the system's generator, which on Apple's platforms is cryptographically secure and never fails.
/// Safe from any thread.
public struct AppleRandom: RandomSource {
    /// A source.
    public init() {}

    /// `count` random bytes; none for a negative count.
    public func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let number = generator.next()
            for shift in stride(from: 0, to: 64, by: 8).prefix(count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// A random number over the whole range.
    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
