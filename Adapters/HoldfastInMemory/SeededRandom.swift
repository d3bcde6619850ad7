import HoldfastDomain

/// Random numbers that come out the same for the same seed: for tests only, never for keys that matter.
///
/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
public final class SeededRandom: RandomSource {
    private let state: Locked<UInt64>

    /// A source that always gives the sequence of `seed`.
    public init(seed: UInt64) { state = Locked(seed) }

    /// The next number of the sequence.
    public func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    /// The next bytes of the sequence.
    public func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            var number = next()
            for _ in 0..<min(8, count - result.count) {
                result.append(UInt8(truncatingIfNeeded: number))
                number >>= 8
            }
        }
        return result
    }
}
