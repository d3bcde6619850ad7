/// Gives unpredictable bytes: for ids, keys, nonces and jitter. Tests seed it.
///
/// A source never fails: one that cannot give good randomness must stop the process rather than go on.
public protocol RandomSource: Sendable {
    /// `count` random bytes.
    func bytes(_ count: Int) -> [UInt8]
    /// A random number over the whole range.
    func next() -> UInt64
}

/// A random source as the generator that Swift's own `random(in:using:)` takes.
public struct SourceGenerator: RandomNumberGenerator {
    private let source: any RandomSource
    /// A generator drawing from `source`.
    public init(_ source: any RandomSource) { self.source = source }
    /// The next number.
    public mutating func next() -> UInt64 { source.next() }
}
