/// A fast 64-bit hash (FNV-1a) with a finishing mix, for the toys: it stops accidents, not attackers.
struct ToyHash {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Takes the bytes and their count, so that two fields cannot run into one another.
    mutating func take(_ bytes: some Collection<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        state = (state ^ UInt64(bytes.count)) &* 0x0100_0000_01b3
    }

    /// The hash as `count` bytes.
    func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count + 8)
        var round: UInt64 = 0
        while result.count < count {
            round &+= 0x9e37_79b9_7f4a_7c15
            var word = state &+ round
            word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
            word ^= word >> 31
            for shift in stride(from: 0, to: UInt64(64), by: 8) {
                result.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        result.removeLast(result.count - count)
        return result
    }
}
