import CHoldfastOpenSSL
import HoldfastDomain

/// Random bytes from OpenSSL's generator, which the kernel seeds. Safe to use from any thread.
///
/// If OpenSSL cannot give randomness the process stops: no id, key or nonce may ever be predictable.
public struct OpenSSLRandom: RandomSource {
    /// A source.
    public init() {}

    /// `count` random bytes; none for a negative count.
    public func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            Self.fill(UnsafeMutableRawBufferPointer(buffer))
            written = count
        }
    }

    /// A random number over the whole range.
    public func next() -> UInt64 {
        var number: UInt64 = 0
        withUnsafeMutableBytes(of: &number) { Self.fill($0) }
        return number
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(1 << 20))
            guard RAND_bytes(part.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(part.count)) == 1 else {
                fatalError("OpenSSL has no randomness to give; going on would make keys predictable")
            }
            rest = rest.dropFirst(part.count)
        }
    }
}
