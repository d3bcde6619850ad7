import HoldfastDomain

/// SHA-256 and HMAC-SHA-256 in plain Swift: right, but slow and not hardened, so for tests only.
public struct SoftwareDigest: Digest {
    /// A digest.
    public init() {}

    /// The SHA-256 of `bytes` (FIPS 180-4, section 6.2).
    public func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// The HMAC-SHA-256 of `bytes` (RFC 2104); a key of 32 bytes is padded to one block of 64.
    public func hmacSHA256(_ bytes: [UInt8], key: SymmetricKey) -> [UInt8] {
        let block = key.bytes + [UInt8](repeating: 0, count: 64 - key.bytes.count)
        let inner = sha256(block.map { $0 ^ 0x36 } + bytes)
        return sha256(block.map { $0 ^ 0x5c } + inner)
    }
}

/// The running state of one SHA-256.
private struct SHA256 {
    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    mutating func update(_ bytes: [UInt8]) {
        length &+= UInt64(bytes.count) &* 8
        pending += bytes
        var start = 0
        while pending.count - start >= 64 {
            compress(pending[start..<start + 64])
            start += 64
        }
        pending.removeFirst(start)
    }

    mutating func finish() -> [UInt8] {
        let bits = (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        let zeros = (120 - (pending.count + 1) % 64) % 64
        update([0x80] + [UInt8](repeating: 0, count: zeros) + bits)
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private mutating func compress(_ block: ArraySlice<UInt8>) {
        var words = [UInt32](repeating: 0, count: 64)
        var next = block.startIndex
        for index in 0..<16 {
            let high = UInt32(block[next]) << 24 | UInt32(block[next + 1]) << 16
            words[index] = high | UInt32(block[next + 2]) << 8 | UInt32(block[next + 3])
            next += 4
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let small0 = (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ (early >> 3)
            let small1 = (late >> 17 | late << 15) ^ (late >> 19 | late << 13) ^ (late >> 10)
            words[index] = words[index - 16] &+ small0 &+ words[index - 7] &+ small1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let big1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
            let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ Self.constants[index] &+ words[index]
            let big0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
            let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
            h = g
            g = f
            f = e
            e = d &+ first
            d = c
            c = b
            b = a
            a = first &+ second
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
    }
}
