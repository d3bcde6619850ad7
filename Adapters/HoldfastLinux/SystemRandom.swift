import CHoldfastLinux
import HoldfastDomain

/// Random bytes from the kernel (`getrandom`, getrandom(2)). Safe to use from any thread.
///
/// If the kernel cannot give randomness the process stops: no id, key or nonce may ever be predictable.
public struct SystemRandom: RandomSource {
    /// A source.
    public init() {}

    /// `count` random bytes; none for a negative count.
    public func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            Self.fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
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
            let part = UnsafeMutableRawBufferPointer(rebasing: rest)
            guard let count = try? SystemError.retrying({ getrandom(part.baseAddress, part.count, 0) }) else {
                fatalError("the kernel has no randomness to give; going on would make keys predictable")
            }
            rest = rest.dropFirst(count)
        }
    }
}
